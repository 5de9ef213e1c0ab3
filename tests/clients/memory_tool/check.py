"""Gives the same commands to the SDK's memory tool over files and to one over mnemic, and compares
what they say: check.py PROGRAM DIRECTORY."""

import json
import re
import subprocess
import sys

from anthropic.lib.tools._beta_builtin_memory_tool import (
    BetaAbstractMemoryTool,
    BetaLocalFilesystemMemoryTool,
    ToolError,
)


class Mnemic(BetaAbstractMemoryTool):
    """The SDK's helper, with mnemic in the place of a file system."""

    def __init__(self, program):
        super().__init__()
        self.program = [program, "memory-tool", "--json", "--actor", "agent:claude"]

    def tell(self, command):
        fields = command.model_dump(exclude_unset=True)
        done = subprocess.run(self.program, input=json.dumps(fields), capture_output=True, text=True)
        if done.returncode == 0:
            return json.loads(done.stdout)["text"]
        raise ToolError(json.loads(done.stderr)["error"]["message"])

    view = create = str_replace = insert = delete = rename = tell


COMMANDS = [
    {"command": "view", "path": "/memories"},
    {"command": "create", "path": "/memories/notes.md", "file_text": "one\ntwo\nthree\nfour\nfive\n"},
    {"command": "create", "path": "/memories/notes.md", "file_text": "again"},
    {"command": "create", "path": "/memories/work/plan.md", "file_text": "x\ny\nx\n"},
    {"command": "create", "path": "/memories/work/deep/er/a.txt", "file_text": "a" * 1536},
    {"command": "create", "path": "/memories/.hidden", "file_text": "h"},
    {"command": "create", "path": "/memories/empty", "file_text": ""},
    {"command": "create", "path": "/memories/crlf.txt", "file_text": "a\r\nb\r\n"},
    {"command": "create", "path": "/memories/wide.md", "file_text": "Grüße, 世界 🌍\nzwei\n"},
    {"command": "view", "path": "/memories"},
    {"command": "view", "path": "/memories/work"},
    {"command": "view", "path": "/memories/notes.md"},
    {"command": "view", "path": "/memories/notes.md", "view_range": [2, 3]},
    {"command": "view", "path": "/memories/notes.md", "view_range": [4, -1]},
    {"command": "view", "path": "/memories/notes.md", "view_range": [0, 99]},
    {"command": "view", "path": "/memories/notes.md", "view_range": [9, 12]},
    {"command": "view", "path": "/memories/empty"},
    {"command": "view", "path": "/memories/crlf.txt"},
    {"command": "view", "path": "/memories/nothing.md"},
    {"command": "str_replace", "path": "/memories/notes.md", "old_str": "three", "new_str": "3"},
    {"command": "str_replace", "path": "/memories/notes.md", "old_str": "3\nfour", "new_str": "3\n3.5\n4"},
    {"command": "str_replace", "path": "/memories/notes.md", "old_str": "six", "new_str": "6"},
    {"command": "str_replace", "path": "/memories/work/plan.md", "old_str": "x", "new_str": "z"},
    {"command": "str_replace", "path": "/memories/wide.md", "old_str": "世界", "new_str": "Welt"},
    {"command": "str_replace", "path": "/memories/work", "old_str": "x", "new_str": "z"},
    {"command": "str_replace", "path": "/memories/nothing.md", "old_str": "x", "new_str": "z"},
    {"command": "insert", "path": "/memories/notes.md", "insert_line": 0, "insert_text": "zero\n"},
    {"command": "insert", "path": "/memories/notes.md", "insert_line": 2, "insert_text": "two lines\nmore"},
    {"command": "insert", "path": "/memories/notes.md", "insert_line": 99, "insert_text": "x"},
    {"command": "insert", "path": "/memories/notes.md", "insert_line": -1, "insert_text": "x"},
    {"command": "insert", "path": "/memories/empty", "insert_line": 0, "insert_text": "first"},
    {"command": "insert", "path": "/memories/crlf.txt", "insert_line": 1, "insert_text": "m"},
    {"command": "insert", "path": "/memories/nothing.md", "insert_line": 0, "insert_text": "x"},
    {"command": "view", "path": "/memories/notes.md"},
    {"command": "view", "path": "/memories/crlf.txt"},
    {"command": "rename", "old_path": "/memories/notes.md", "new_path": "/memories/work/notes.md"},
    {"command": "rename", "old_path": "/memories/nothing.md", "new_path": "/memories/a.md"},
    {"command": "rename", "old_path": "/memories/empty", "new_path": "/memories/work/notes.md"},
    {"command": "rename", "old_path": "/memories", "new_path": "/memories/b"},
    {"command": "rename", "old_path": "/memories/work", "new_path": "/memories/archive/work"},
    {"command": "view", "path": "/memories/archive/work/notes.md"},
    {"command": "view", "path": "/memories/archive"},
    {"command": "delete", "path": "/memories/archive/work/deep"},
    {"command": "delete", "path": "/memories/nothing.md"},
    {"command": "delete", "path": "/memories"},
    {"command": "delete", "path": "/memories/empty"},
    {"command": "view", "path": "/memories/empty"},
    {"command": "view", "path": "/etc/passwd"},
    {"command": "view", "path": "/memories/../etc/passwd"},
    {"command": "create", "path": "/memories/a/../../b", "file_text": "x"},
]

# A directory's own size is the file system's business; of files it must be the same.
DIRECTORY = re.compile(r"^\S+\t(/memories(?:/[^\n]*/|/work|/archive)?)$", re.MULTILINE)


def told(tool, command):
    try:
        return DIRECTORY.sub(r"-\t\1", tool.call(command))
    except ToolError as refused:
        return f"refused: {refused}"


def main(program, directory):
    files, memories = BetaLocalFilesystemMemoryTool(directory), Mnemic(program)
    wrong = 0
    for command in COMMANDS:
        expected, got = told(files, command), told(memories, command)
        if expected != got:
            wrong += 1
            print(f"{command}\n  expected: {expected!r}\n  got:      {got!r}")
    print(f"memory tool: {len(COMMANDS) - wrong} of {len(COMMANDS)} answers are the SDK's own")
    return 1 if wrong else 0


sys.exit(main(*sys.argv[1:]))
