"""MiniLM's vectors kept between runs, as `mnemic-bench recall --cache` keeps its own.

Without --cache nothing here is used and the engine embeds everything itself. With it, documents
are embedded here; questions still by the engine, because their time is part of what is measured;
with --untimed, questions as well, and no times are given. The vectors are the engine's own to
1e-6: only the padding, which the attention mask hides, is left out.
"""

import hashlib

WIDTH = 384
KEY = 32
ENTRY = KEY + 4 * WIDTH


class Vectors:
    """Used as `with vectors:` around storing; what embeds looks at `active`."""

    def __init__(self, folder, untimed):
        self.folder, self.untimed, self.active = folder, untimed, untimed
        self.kept = self.file = None
        self.encoders, self.session = {}, None

    @property
    def keeping(self):
        return self.folder is not None

    def __enter__(self):
        self.active = self.keeping

    def __exit__(self, *_):
        self.active = self.untimed

    def embed(self, texts, session, tokenizer, tokens):
        """Normalised means over at most `tokens` tokens, as float32 rows in the order of `texts`.

        `session` and `tokenizer` give the engine's own, and are called when first needed.
        """
        import numpy as np

        if self.kept is None:
            self._open()
        if tokens not in self.encoders:
            own = tokenizer()
            encoder = self.encoders[tokens] = type(own).from_str(own.to_str())
            encoder.no_padding()
            encoder.enable_truncation(max_length=tokens)
        encoded = [one.ids for one in self.encoders[tokens].encode_batch(texts)]
        # By the tokens: what is cut at another length is the same for short texts.
        keys = [hashlib.sha256(np.array(ids, "<i4").tobytes()).digest() for ids in encoded]
        missing = {key: ids for key, ids in zip(keys, encoded) if key not in self.kept}
        if missing and self.session is None:
            self.session = session()
        ordered = sorted(missing.items(), key=lambda pair: len(pair[1]))
        for start in range(0, len(ordered), 16):
            batch = ordered[start : start + 16]
            for (key, _), vector in zip(batch, forward([ids for _, ids in batch], self.session)):
                self.kept[key] = vector
                self.file.write(key + vector.tobytes())
        self.file.flush()
        return np.stack([self.kept[key] for key in keys])

    def _open(self):
        import numpy as np

        self.folder.mkdir(parents=True, exist_ok=True)
        path = self.folder / "minilm.vectors"
        raw = path.read_bytes() if path.exists() else b""
        # A last entry that was cut off is left out.
        entries = [raw[at : at + ENTRY] for at in range(0, len(raw) // ENTRY * ENTRY, ENTRY)]
        self.kept = {entry[:KEY]: np.frombuffer(entry[KEY:], np.float32) for entry in entries}
        self.file = open(path, "r+b" if path.exists() else "w+b")
        self.file.truncate(len(entries) * ENTRY)
        self.file.seek(len(entries) * ENTRY)


def forward(encoded, session):
    import numpy as np

    ids = np.zeros((len(encoded), max(map(len, encoded))), np.int64)
    mask = np.zeros_like(ids)
    for at, one in enumerate(encoded):
        ids[at, : len(one)] = one
        mask[at, : len(one)] = 1
    inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
    hidden = session.run(None, inputs)[0]
    means = (hidden * mask[..., None]).sum(1) / mask.sum(1, keepdims=True)
    return (means / np.linalg.norm(means, axis=1, keepdims=True)).astype(np.float32)
