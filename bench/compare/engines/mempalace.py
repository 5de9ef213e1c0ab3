"""MemPalace: drawers in its default backend (Chroma), found through its own hybrid search.

Filed as its tool `add_drawer` files: verbatim, in chunks of its configured size. Closets, which
only its miner of files makes, are not there.
"""

from mempalace.config import MempalaceConfig
from mempalace.palace import get_collection
from mempalace.searcher import search_memories

from engines import chroma

# By meaning and then ranked with BM25 (its default); the same with candidates by words as well.
VARIANTS = ["mempalace", "mempalace union"]


def prepare(vectors):
    chroma.prepare(vectors)


class Engine:
    def __init__(self, folder):
        self.folder = folder
        self.collection = get_collection(folder, create=True)
        self.chunk = MempalaceConfig().chunk_size

    def store(self, documents):
        ids, texts, about = [], [], []
        for key, document in documents:
            text = document["text"]
            for number, start in enumerate(range(0, max(len(text), 1), self.chunk)):
                ids.append(f"{key}_chunk_{number:06d}")
                texts.append(text[start : start + self.chunk])
                about.append(
                    {
                        "wing": "bench",
                        "room": "bench",
                        "source_file": key,
                        "chunk_index": number,
                        "parent_drawer_id": key,
                        "filed_at": "2026-01-01T00:00:00",
                    }
                )
        for start in range(0, len(ids), 500):
            part = slice(start, start + 500)
            self.collection.upsert(ids=ids[part], documents=texts[part], metadatas=about[part])

    def search(self, query, k, variant):
        strategy = "union" if variant.endswith("union") else "vector"
        answer = search_memories(query, self.folder, n_results=k, candidate_strategy=strategy)
        if "results" not in answer:
            raise RuntimeError(answer.get("error"))
        hits = answer["results"]
        # It gives the order, not the sum it orders by: 0.6 of the similarity, 0.4 of BM25.
        most = max((hit["bm25_score"] for hit in hits), default=0.0) or 1.0
        best, last = {}, float("inf")
        for hit in hits:
            score = 0.6 * (hit["similarity"] or 0.0) + 0.4 * hit["bm25_score"] / most
            # Rounded as they are given, they must not contradict its order.
            last = score = min(last, score)
            # A document stands where its best chunk stands. Copies it folded are hits as well.
            keys = [hit["source_path"]]
            keys += [other.get("source_path") for other in hit.get("also_in", [])]
            for key in keys:
                if key:
                    best.setdefault(key, score)
        return list(best.items())

    def close(self):
        pass
