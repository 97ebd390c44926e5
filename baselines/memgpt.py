"""MemGPT (Packer et al., "MemGPT: Towards LLMs as Operating Systems", 2023; details from cpacker/MemGPT 0.3.25).

An agent whose prompt is a small main context (instructions, core memory, a queue of messages with a summary in front)
and who reaches everything else with functions. Here the conversation's turns come as dated messages of named speakers
that are not replied to; the agent works on its memory when the queue presses, and answers questions with send_message.

Where this differs from 0.3.25, each for a reason given beside it: the queue is one user message and not a list of chat
messages (the conversation has two speakers, neither of them the agent, and chat templates want user and assistant in
turn); every turn is archived; a question's chain ends with a forced send_message; there is no pause_heartbeats, since
no heartbeat comes from a clock.
"""

from __future__ import annotations

from collections import Counter
from typing import ClassVar

from amem import tokens
from amem.contract import MemoryMethod, OwnAnswer, Question, Recall, Session, Snapshot, Source, Tools, Turn
from amem.errors import ConfigurationError
from amem.lm.types import FailureKind, ModelFailure, Sampling
from baselines._memgpt.agent import Agent
from baselines._memgpt.archival_storage import ArchivalStorage, Passage
from baselines._memgpt.chain import ANSWER_CALL, MEMORY_CALL, Chain, Report
from baselines._memgpt.core_memory import HUMAN, PERSONA, CoreMemory, FunctionError
from baselines._memgpt.entries import Kind
from baselines._memgpt.queue import MessageQueue
from baselines._memgpt.recall_storage import RecallStorage
from baselines._memgpt.settings import MemGPTSettings
from baselines._memgpt.state import AgentState


class MemGPT(MemoryMethod):
    """`mode: paged` is the published method, `mode: full` keeps the whole conversation in the prompt."""

    Settings: ClassVar[type] = MemGPTSettings
    answers_itself: ClassVar[bool] = True

    def __init__(self, settings: MemGPTSettings, tools: Tools) -> None:
        super().__init__(settings, tools)
        self.state = AgentState(
            CoreMemory({}, settings.block_chars),
            MessageQueue(),
            RecallStorage(),
            ArchivalStorage(tools.embedder.dimension),
        )

    def ingest(self, session: Session) -> None:
        agent = Agent(self.state, self.settings, self.tools, self.counters)
        if not len(self.state.recall):
            self._start(agent, session)
        contents = [self.tools.prompts.render("turn", turn=turn) for turn in session.turns]
        vectors = self.tools.embedder.encode(contents if self.settings.archive_turns else [])
        for position, (turn, content) in enumerate(zip(session.turns, contents, strict=True)):
            if self.settings.archive_turns:
                passage = Passage(content, session.date_text, turn.id)
                self.state.archival.insert([passage], vectors[position : position + 1])
            self._hear(agent, session, turn, content)

    def recall(self, question: Question) -> Recall:
        """What stands in main context before the question is asked, instructions apart."""
        queue, prompts = self.state.queue, self.tools.prompts
        core = prompts.render("memgpt_core", core=self.state.core.blocks)
        shown = prompts.render(
            "memgpt_queue", hidden=queue.summary.hidden, summary=queue.summary.text, entries=queue.entries
        )
        text = f"{core}\n{shown}"
        verbatim = [Source(entry.turn_id) for entry in reversed(queue.entries) if entry.turn_id]
        derived = [Source(turn_id, derived=True) for turn_id in reversed(queue.summary.turn_ids)]
        trace = {
            "mode": self.settings.mode,
            "in_queue": len(queue.entries),
            "out_of_view": queue.summary.hidden,
            "archived": len(self.state.archival),
        }
        return Recall(text, (*verbatim, *derived), tokens.count(text), trace)

    def answer(self, question: Question, instruction: str, sampling: Sampling) -> OwnAnswer:
        """Work on a copy of the memory until a message is sent. Raises ModelFailure, of kind `empty` if none was."""
        agent = Agent(self.state.fork(), self.settings, self.tools, Counter())
        wording = self.tools.prompts.render("memgpt_question", question=question.text, instruction=instruction)
        agent.record(Kind.QUESTION, wording)
        report = Chain(agent, ANSWER_CALL, sampling).run()
        if not report.messages:
            raise _unanswered(report, agent.counters)
        recall = self._with_findings(self.recall(question), report, agent.counters)
        return OwnAnswer(report.messages[-1], recall, report.prompt_tokens)

    def snapshot(self) -> Snapshot:
        state = {**self.state.to_json(), "counters": dict(self.counters)}
        return Snapshot(state, {"vectors": self.state.archival.vectors()})

    def restore(self, snapshot: Snapshot) -> None:
        self.state = AgentState.from_json(
            snapshot.state,
            snapshot.arrays["vectors"],
            block_chars=self.settings.block_chars,
            dimension=self.tools.embedder.dimension,
        )
        self.counters.clear()
        self.counters.update(snapshot.state["counters"])

    def _start(self, agent: Agent, session: Session) -> None:
        """Fill core memory and see that the window has room for more than the instructions."""
        speakers = list(dict.fromkeys(turn.speaker for turn in session.turns))
        try:
            self.state.core.append(PERSONA, self.tools.prompts.render("memgpt_persona"))
            self.state.core.append(HUMAN, self.tools.prompts.render("memgpt_human", speakers=speakers))
        except FunctionError as error:
            raise ConfigurationError(
                f"memgpt: the prompt pack's memgpt_persona or memgpt_human has more characters ({error.about}) than "
                "settings.block_chars allows"
            ) from error
        for call in (MEMORY_CALL, ANSWER_CALL):
            agent.window.check(self.state, call)

    def _hear(self, agent: Agent, session: Session, turn: Turn, content: str) -> None:
        """Take one turn into the queue; warn the agent once per period, and evict where the queue overflows."""
        agent.record(
            Kind.TURN,
            content,
            number=session.number,
            date_text=session.date_text,
            when=session.when.date(),
            turn_id=turn.id,
        )
        agent.relieve(MEMORY_CALL)
        if agent.pressed(MEMORY_CALL):
            self.state.warned = True
            self.counters["warnings"] += 1
            agent.notice("memory_pressure")
            Chain(agent, MEMORY_CALL).run()
            agent.relieve(MEMORY_CALL)

    def _with_findings(self, before: Recall, report: Report, counters: Counter[str]) -> Recall:
        text = "\n\n".join([before.text, *report.results])
        sources = tuple(dict.fromkeys((*report.found, *before.sources)))
        trace = {**before.trace, "calls": report.steps, "counters": dict(counters)}
        return Recall(text, sources, tokens.count(text), trace)


def _unanswered(report: Report, counters: Counter[str]) -> ModelFailure:
    return ModelFailure(
        FailureKind.EMPTY,
        f"memgpt: the question ended after {len(report.steps)} calls without send_message",
        purpose=ANSWER_CALL,
        details={"calls": report.steps, "counters": dict(counters)},
    )
