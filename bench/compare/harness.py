"""Asks one other engine what `mnemic-bench recall` asks mnemic, and measures it the same way.

    harness.py --engine NAME [--data a,b] [--json] [--types] [--cache DIR [--untimed]]
               [--rankings FILE]

`run` starts it in the environment of the engine. MNEMIC_BENCH_DATA names the folder with
`retrieval/`. What is counted follows bench/src/recall/measure.rs line by line.
"""

import argparse
import gzip
import importlib
import json
import math
import os
import socket
import sys
import tempfile
import time
from pathlib import Path

ALL = ["locomo", "lme-pool", "lme-s500", "bettermemory", "beam-100k", "cosqa", "coding"]
# Enough turns to rank ten sessions by them.
DEEP = 100
# Enough short turns to fill the largest budget of `mnemic-bench context`.
RANKED = 1000
# Turns above this place speak for their session, each by how far it stands above it.
SPEAKING = 30
COLUMNS = [
    "recall@5",
    "recall@10",
    "recall@20",
    "hit@5",
    "all@5",
    "all@10",
    "ndcg@10",
    "mrr",
    "tokens@10",
    "p50 ms",
    "p95 ms",
    "p99 ms",
    "stored/s",
]


# The data


def load(folder):
    """The stores to be, as pairs of documents and questions."""
    with gzip.open(folder / "docs.jsonl.gz", "rt", encoding="utf-8") as file:
        documents = [json.loads(line) for line in file]
    with open(folder / "queries.jsonl", encoding="utf-8") as file:
        queries = [json.loads(line) for line in file]
    for document in documents:
        document["text"] = document["text"].replace("\0", " ")
    if any(query.get("haystack") for query in queries):
        return by_haystack(documents, queries)
    return by_corpus(documents, queries)


def by_corpus(documents, queries):
    corpora = {}
    for document in documents:
        corpora.setdefault(document["corpus"], ([], []))[0].append(document)
    for query in queries:
        if query["corpus"] in corpora:
            corpora[query["corpus"]][1].append(query)
    for _, asked in corpora.values():
        # Documents are stored as far as a question may see, so the short-sighted ask first.
        asked.sort(key=lambda query: before(query))
    return list(corpora.values())


def by_haystack(documents, queries):
    by_id = {document["id"]: document for document in documents}
    return [
        (
            [dict(by_id[id], time=time) for id, time in query["haystack"] if id in by_id],
            [query],
        )
        for query in queries
    ]


def before(query):
    seen = query.get("before")
    return sys.maxsize if seen is None else seen


# The measures of one answer, and their means over many


def sample(query, documents, ranked, milliseconds):
    """`ranked` are places of documents, best first, with their scores."""
    values = {}
    ids = [documents[place]["id"] for place, _ in ranked]
    gold = set(query["gold"])
    if gold:
        for k in (5, 10, 20):
            values[f"recall@{k}"] = found(ids, gold, k) / len(gold)
        values["hit@5"] = float(found(ids, gold, 5) > 0)
        values["hit@10"] = float(found(ids, gold, 10) > 0)
        values["ndcg@10"] = ndcg(ids, gold, 10)
        first = next((place for place, id in enumerate(ids) if id in gold), None)
        values["mrr"] = 0.0 if first is None else 1.0 / (first + 1)
    gold = set(query["gold_sessions"])
    if gold:
        ordered = sessions(documents, ranked)
        for k in (5, 10):
            values[f"all@{k}"] = float(found(ordered, gold, k) == len(gold))
    # Four characters a token: the usual rule of thumb, good enough to compare.
    values["tokens@10"] = sum(len(documents[place]["text"]) / 4 for place, _ in ranked[:10])
    return {"type": query["type"], "values": values, "milliseconds": milliseconds}


def found(ids, gold, k):
    return len(set(ids[:k]) & gold)


def ndcg(ids, gold, k):
    def gain(place):
        return 1.0 / math.log2(place + 2)

    got = sum(gain(place) for place, id in enumerate(ids[:k]) if id in gold)
    return got / sum(gain(place) for place in range(min(len(gold), k)))


def sessions(documents, ranked):
    """Sessions by what their turns say together; those that say nothing by their best turn."""
    floor = ranked[min(SPEAKING, len(ranked)) - 1][1] if ranked else 0.0
    sums = {}
    for place, score in ranked:
        session = documents[place]["session"]
        sums[session] = sums.get(session, score * 1e-6) + max(score - floor, 0.0)
    return sorted(sums, key=lambda session: (-sums[session], session))


def means(samples):
    sums = {}
    for one in samples:
        for name, value in one["values"].items():
            sums.setdefault(name, []).append(value)
    return {name: sum(values) / len(values) for name, values in sums.items()}


def percentile(samples, share):
    index = min(max(math.ceil(len(samples) * share), 1), len(samples)) - 1
    return sorted(samples)[index]


# Asking


def ask_all(name, corpora, engine, options):
    variants = engine.VARIANTS
    samples = {variant: [] for variant in variants}
    storing = 0.0
    total = sum(len(queries) for _, queries in corpora)
    told = time.monotonic()
    deep = RANKED if options.rankings else DEEP
    for documents, queries in corpora:
        if not queries:
            continue
        with tempfile.TemporaryDirectory() as folder:
            store = engine.Engine(folder)
            stored = 0
            for query in queries:
                upto = min(before(query), len(documents))
                if upto > stored:
                    new = [(str(place), documents[place]) for place in range(stored, upto)]
                    start = time.perf_counter()
                    with options.vectors:
                        store.store(new)
                    storing += time.perf_counter() - start
                    stored = upto
                for variant in variants:
                    start = time.perf_counter()
                    hits = store.search(query["text"], deep, variant)
                    milliseconds = (time.perf_counter() - start) * 1e3
                    if options.rankings and variant == variants[0]:
                        ids = [documents[int(key)]["id"] for key, _ in hits]
                        line = {"data": name, "query": query["id"], "ranked": ids}
                        options.rankings.write(json.dumps(line) + "\n")
                    ranked = [(int(key), float(score)) for key, score in hits][:DEEP]
                    samples[variant].append(sample(query, documents, ranked, milliseconds))
                if time.monotonic() - told > 30:
                    told = time.monotonic()
                    print(f"{name}: {len(samples[variants[0]])} of {total}", file=sys.stderr)
            store.close()
    documents = sum(len(documents) for documents, _ in corpora)
    # With kept vectors the engine does not embed documents itself: its rate is not measured.
    rate = None if options.vectors.keeping else documents / max(storing, 1e-9)
    timed = not options.untimed
    return [row(name, variant, samples[variant], rate, timed) for variant in variants]


def row(name, variant, samples, rate, timed):
    values = means(samples)
    times = [one["milliseconds"] for one in samples]
    if times and timed:
        values["first ms"] = times[0]
        for column, share in (("p50 ms", 0.5), ("p95 ms", 0.95), ("p99 ms", 0.99)):
            values[column] = percentile(times, share)
    if rate is not None:
        values["stored/s"] = rate
    types = {}
    for kind in sorted({one["type"] for one in samples}):
        these = [one for one in samples if one["type"] == kind]
        types[kind] = dict(means(these), questions=len(these))
    return {
        "data": name,
        "variant": variant,
        "questions": len(samples),
        **values,
        "types": types,
    }


# The results as one Markdown table, or as JSON


def table(rows, options):
    if options.json:
        print(json.dumps({"results": rows}))
        return
    print(f"| data | variant | n | {' | '.join(COLUMNS)} |")
    print(f"| --- | --- | ---: |{' ---: |' * len(COLUMNS)}")
    for one in rows:
        line(one["data"], one["variant"], one)
        for kind, values in one["types"].items() if options.types else ():
            line(f"{one['data']}: {kind}", one["variant"], values)


def line(data, variant, values):
    def cell(column):
        value = values.get(column)
        if value is None:
            return ""
        if value >= 50:
            return f"{value:.0f}"
        return f"{value:.2f}" if column.endswith("ms") else f"{value:.3f}"

    cells = " | ".join(cell(column) for column in COLUMNS)
    print(f"| {data} | {variant} | {values['questions']} | {cells} |")


def offline():
    """What Python opens to other machines fails, so that nothing is fetched in silence."""
    connect = socket.socket.connect

    def guarded(self, address):
        if self.family != socket.AF_UNIX and address[0] not in ("127.0.0.1", "::1", "localhost"):
            raise OSError(f"offline by intention: no connection to {address[0]}")
        return connect(self, address)

    socket.socket.connect = guarded


def arguments():
    parser = argparse.ArgumentParser(prog="run")
    parser.add_argument("--engine", required=True)
    parser.add_argument("--data", help="names of sets, by commas; all by default")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--types", action="store_true", help="every type of question on its own")
    parser.add_argument("--cache", type=Path, help="keep the vectors of documents here")
    parser.add_argument("--untimed", action="store_true", help="those of questions as well")
    parser.add_argument(
        "--rankings",
        type=argparse.FileType("w", encoding="utf-8"),
        help="write what each question found here, for `mnemic-bench context --against`",
    )
    options = parser.parse_args()
    if options.untimed and not options.cache:
        parser.error("--untimed needs --cache")
    return options


def main():
    options = arguments()
    folder = os.environ.get("MNEMIC_BENCH_DATA")
    if not folder:
        print("skipped: MNEMIC_BENCH_DATA is not set", file=sys.stderr)
        return
    offline()
    from vectors import Vectors

    options.vectors = Vectors(options.cache, options.untimed)
    engine = importlib.import_module("engines." + options.engine.replace("-", "_"))
    engine.prepare(options.vectors)
    rows = []
    for name in options.data.split(",") if options.data else ALL:
        corpora = load(Path(folder) / "retrieval" / name)
        documents, questions = (sum(map(len, part)) for part in zip(*corpora))
        print(f"{name}: {documents} documents, {questions} questions", file=sys.stderr)
        rows.extend(ask_all(name, corpora, engine, options))
    table(rows, options)


if __name__ == "__main__":
    main()
