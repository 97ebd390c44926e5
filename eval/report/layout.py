"""Places for the notes of a network, drawn once and for all: the same network gives the same picture."""

from __future__ import annotations

from amem.network import NoteNetwork

WIDTH, HEIGHT = 1000, 640
_MARGIN = 24


def places(network: NoteNetwork) -> dict[str, tuple[int, int]]:
    """Pixel places by note id within WIDTH × HEIGHT: force-directed (networkx, Fruchterman and Reingold 1991), seeded.

    Notes without any link would be pushed to the rim and shrink the rest, so they stand in rows below.
    """
    import networkx as nx

    graph = nx.Graph()
    graph.add_nodes_from(note.id for note in network)
    graph.add_edges_from(
        (note.id, target) for note in network for link in note.links if (target := network.resolve(link)) is not None
    )
    linked = [note for note in graph if graph.degree[note]]
    single = [note for note in graph if not graph.degree[note]]
    rows = _rows(single)
    top = min((y for _, y in rows.values()), default=HEIGHT)
    if not linked:
        return rows
    drawn = nx.spring_layout(graph.subgraph(linked), seed=0, k=1.6 / len(linked) ** 0.5, iterations=120)
    return _scaled(drawn, top - _MARGIN) | rows


def _rows(notes: list[str]) -> dict[str, tuple[int, int]]:
    step = 26
    per_row = (WIDTH - 2 * _MARGIN) // step
    count = -(-len(notes) // per_row)
    return {
        note: (_MARGIN + (i % per_row) * step, HEIGHT - _MARGIN - (count - 1 - i // per_row) * step)
        for i, note in enumerate(notes)
    }


def _scaled(drawn: dict[str, tuple[float, float]], height: int) -> dict[str, tuple[int, int]]:
    xs, ys = zip(*drawn.values(), strict=True)
    spans = max(xs) - min(xs) or 1.0, max(ys) - min(ys) or 1.0
    return {
        note: (
            round(_MARGIN + (x - min(xs)) / spans[0] * (WIDTH - 2 * _MARGIN)),
            round(_MARGIN + (y - min(ys)) / spans[1] * (height - 2 * _MARGIN)),
        )
        for note, (x, y) in drawn.items()
    }
