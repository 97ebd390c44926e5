"""The configuration of a run as dataclasses: an unknown key or a wrong type is refused before anything runs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from omegaconf import MISSING

from amem.sentence_encoder import MINILM, MINILM_DIMENSION
from eval.dialsim.dataset import DialSimConfig
from eval.scaling.config import ScalingConfig


@dataclass
class DatasetConfig:
    name: str = "auto"
    """`locomo`, `sample`, or `auto` (LoCoMo where it is or can be fetched, else the sample, and says so)."""
    path: str | None = None
    """The file itself; None: `locomo10.json` in `data_dir`."""
    data_dir: str | None = None
    """None: the variable AMEM_DATA_DIR, else `data`."""
    download: bool = True
    allow_other: bool = False
    """Accept a LoCoMo file whose checksum is not the release's; the table's caption then names the checksum."""
    conversations: list[str] | None = None
    """Ids, or positions counted from 0; None: all."""
    sessions: int | None = None
    """Only the first so many sessions of each conversation, and the questions whose evidence lies inside."""
    questions: int | None = None
    """At most so many questions of each conversation and category, the first ones."""
    categories: list[str] | None = None


@dataclass
class PromptsConfig:
    folder: str | None = None
    """A prompt pack: a name under configs/prompts, or a folder; None: the backbone's own default."""


@dataclass
class EmbedderConfig:
    model: str = MINILM
    dimension: int = MINILM_DIMENSION


@dataclass
class PricesConfig:
    input_per_million: float | None = None
    output_per_million: float | None = None
    cached_input_per_million: float | None = None
    date: str | None = None
    source: str | None = None


@dataclass
class SamplingConfig:
    temperature: float | None = None
    top_p: float | None = None
    max_tokens: int | None = None


@dataclass
class BackboneConfig:
    _target_: str = MISSING
    label: str = MISSING
    paper_row: str | None = None
    """The value of `backbone` in results/paper/table1_locomo.csv."""
    paper_nearest: str | None = None
    """For a backbone that the paper lacks: whose figures to show for orientation, without a difference."""
    prompts: str = "default"
    concurrency: int | None = None
    """Calls under way at once; None: the provider's own number of workers."""
    sampling: SamplingConfig = field(default_factory=SamplingConfig)
    answer_temperature: dict[str, float] = field(default_factory=dict)
    """By category, in place of `sampling.temperature` for the answering call (MemGPT: for all calls of a question)."""
    prices: PricesConfig = field(default_factory=PricesConfig)
    settings: dict[str, Any] = field(default_factory=dict)


@dataclass
class SweptConfig:
    """What a row of a k-sweep is: filled in from `retrieve.sweep`, not to be set."""

    family: str = MISSING
    """The configured method that the row was made from."""
    k: int = MISSING
    memory: str = MISSING
    """The row whose memory this one asks."""


@dataclass
class MethodConfig:
    _target_: str = MISSING
    label: str = MISSING
    paper_row: str | None = None
    settings: dict[str, Any] = field(default_factory=dict)
    swept: SweptConfig | None = None


@dataclass
class KConfig:
    k: int = 10


@dataclass
class WindowConfig:
    window: int = 8192
    """Tokens of MemGPT's main context (paged); a short dataset pages only in a small one."""


@dataclass
class RetrieveConfig:
    k: int = 10
    sweep: list[int] | None = None
    """Ask with each of these k in one run: a row a value, over one memory where k acts at recall only. DialSim's
    questions stand inside the stream, so there each k has a memory of its own."""


@dataclass
class ExecutorConfig:
    name: str = "threads"
    """`threads`: this process; `ray`: the workers of a Ray cluster."""
    workers: int = 8
    """Conversations and questions under way at once; calls are also bounded by each backbone's concurrency. On Ray:
    questions under way at once in each worker, where the backbone's concurrency holds for each worker too."""
    address: str | None = None
    """Ray: `auto` for the cluster that this machine is part of, or host:port; None starts one on this machine."""
    cpus: float = 1.0
    """Ray: cores that a conversation takes of its node."""
    restarts: int = 3
    """Ray: how often a conversation is given to another worker when its worker is lost."""
    runtime_env: dict[str, Any] = field(default_factory=dict)
    """Ray: its runtime environment, where the nodes do not share a checkout (`working_dir`, `pip`, …)."""
    show_workers: bool = False
    """Ray: whether what workers print is shown."""


@dataclass
class RecordsConfig:
    path: str | None = None
    """The record store; None: `records.sqlite` in the results folder."""
    replay_from: str | None = None
    """An exported record file: it is imported first and then no call is made at all."""
    replay_only: bool = False
    """Never call a model: a request without a record is a failure."""

    @property
    def alone(self) -> bool:
        """Whether the records must do: no model is called."""
        return self.replay_only or self.replay_from is not None


@dataclass
class BudgetConfig:
    usd: float | None = None


@dataclass
class ScoringConfig:
    max_failure_share: float = 0.05
    """A table is refused where more of the questions of any backbone and method failed."""
    allow_failures: bool = False
    idk: str = "phrase"
    """DialSim's reference where the right answer is not to know: `phrase`, `option` or `excluded`."""
    metrics: list[str] | None = None
    """Names of `eval.metrics.registry`; None: all but BERTScore. Table 1 needs f1_amem_set, f1_locomo and bleu1."""
    bertscore: str | None = None
    """Hub name or folder of BERTScore's model (the published values are roberta-large's); None: no BERTScore."""
    errata: str | None = None
    """A file of corrections (`eval.scoring.errata`): scores with and without them are then shown."""


@dataclass
class TrackingConfig:
    kind: str = "none"
    """`none`, `mlflow` or `wandb`: where a finished run is logged besides its folder."""
    uri: str | None = None
    """MLflow's tracking server, or a local store; None: MLflow's own default."""
    project: str = "amem"


@dataclass
class RunConfig:
    """Everything that a run depends on, besides the data, the code and the models' replies."""

    name: str = "run"
    seed: int = 0
    repeats: int = 1
    dataset: DatasetConfig = field(default_factory=DatasetConfig)
    dialsim: DialSimConfig | None = None
    """Where it is set, the run is on DialSim and `dataset` is not looked at."""
    scaling: ScalingConfig | None = None
    """Where it is set, no question is asked: memories of growing size are timed and weighed."""
    prompts: PromptsConfig = field(default_factory=PromptsConfig)
    embedder: EmbedderConfig = field(default_factory=EmbedderConfig)
    backbones: dict[str, BackboneConfig] = field(default_factory=dict)
    methods: dict[str, MethodConfig] = field(default_factory=dict)
    retrieve: RetrieveConfig = field(default_factory=RetrieveConfig)
    link: KConfig = field(default_factory=KConfig)
    memgpt: WindowConfig = field(default_factory=WindowConfig)
    executor: ExecutorConfig = field(default_factory=ExecutorConfig)
    records: RecordsConfig = field(default_factory=RecordsConfig)
    budget: BudgetConfig = field(default_factory=BudgetConfig)
    scoring: ScoringConfig = field(default_factory=ScoringConfig)
    tracking: TrackingConfig = field(default_factory=TrackingConfig)
    results_dir: str = "results"


WHERE_AND_HOW_FAST = ("executor", "records", "budget", "scoring", "tracking", "results_dir")
"""Parts of a configuration that can't change an answer: they are left out of a run's hash."""
