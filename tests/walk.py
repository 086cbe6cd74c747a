#!/usr/bin/env python3
"""Counts the functions and files that one accepted step passes.

    tests/walk.py [--tree DIR] [--step N] [--list] [--set KEY=VALUE]...

Builds a copy of the source tree in which every function says when it is entered, runs
cases/suspension.toml for a few steps, and prints for step N, from one turn of the loop of a run to
the next, what a reader passes: functions in the order in which they are first entered, the files
they stand in, and how often the file changes from one to the next. Lines of a body are counted, so
that accessors can be left out: the rows are for all functions, and for those of more than 3, 10
and 12 lines. Closures and constant functions belong to what is around them; figures and the
command line are left out.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

LEFT_OUT = ("main.rs", "plot/", "plot.rs", "cli/", "cli.rs")
PARTS = ("src", "cases", "docs", "benches", "tests", "examples", ".cargo")
FILES = ("Cargo.toml", "Cargo.lock", "build.rs", "README.md", "clippy.toml")
FUNCTION = re.compile(r"^(\s*)(pub(\([^)]*\))?\s+)?(const\s+)?fn\s+(\w+)")

# Prints the walk when the function `check_budget`, which begins a turn of the loop, is entered
# for the time after the one asked for.
WALK = """
use std::sync::Mutex;
type Entry = (&'static str, &'static str, u32, u32);
static WALK: Mutex<(u64, Vec<Entry>)> = Mutex::new((0, Vec::new()));
pub fn enter(file: &'static str, name: &'static str, line: u32, length: u32) {
    let mut walk = WALK.lock().unwrap();
    let wanted: u64 = std::env::var("WALK_STEP").ok().and_then(|x| x.parse().ok()).unwrap_or(0);
    if name == "check_budget" {
        walk.0 += 1;
        if walk.0 == wanted + 1 {
            walk.1.iter().for_each(|(f, n, l, k)| println!("WALK {f} {n} {l} {k}"));
            std::process::exit(0);
        }
    }
    let known = walk.1.iter().any(|entry| entry.0 == file && entry.2 == line);
    if walk.0 == wanted && !known {
        walk.1.push((file, name, line, length));
    }
}
"""


def instrument(name, text):
    """The text of a source in which every function says that it is entered."""
    lines, out, k, in_macro = text.split("\n"), [], 0, False
    while k < len(lines):
        line = lines[k]
        if line.startswith("#[cfg(test)]") and "mod" in lines[k + 1]:
            return "\n".join(out + lines[k:])
        in_macro = line.startswith("macro_rules!") or (in_macro and not line.startswith("}"))
        out.append(line)
        found = FUNCTION.match(line)
        if found and not in_macro and not found[4]:
            first = k
            while not lines[k].rstrip().endswith(("{", "{}", ";")):
                k += 1
                out.append(lines[k])
            if lines[k].rstrip().endswith("{"):
                end = next(e for e in range(k + 1, len(lines)) if lines[e].startswith(found[1] + "}"))
                entry = f'"{name}", "{found[5]}", {first + 1}, {end - k - 1}'
                out.append(f"{found[1]}    crate::walk::enter({entry});")
        k += 1
    return "\n".join(out)


def copy(tree, to):
    """An instrumented copy of a tree."""
    for part in PARTS:
        if (tree / part).exists():
            shutil.copytree(tree / part, to / part)
    for file in FILES:
        if (tree / file).exists():
            shutil.copy(tree / file, to / file)
    for path in sorted((to / "src").rglob("*.rs")):
        name = str(path.relative_to(to / "src"))
        if "tests" not in name and not name.startswith(LEFT_OUT):
            path.write_text(instrument(name, path.read_text()))
    (to / "src" / "walk.rs").write_text(WALK)
    with open(to / "src" / "lib.rs", "a") as root:
        root.write("\nmod walk;\n")


def main():
    here = pathlib.Path(__file__).resolve().parent.parent
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("--tree", type=pathlib.Path, default=here)
    arguments.add_argument("--step", type=int, default=40)
    arguments.add_argument("--list", action="store_true", help="print the functions")
    arguments.add_argument("--set", action="append", default=[], metavar="KEY=VALUE")
    asked = arguments.parse_args()
    small = ["particles.count=50", "contact.friction=1", "drive.strain=1"]
    with tempfile.TemporaryDirectory() as scratch:
        to = pathlib.Path(scratch) / "tree"
        to.mkdir()
        copy(asked.tree.resolve(), to)
        environment = dict(os.environ, WALK_STEP=str(asked.step), CARGO_TARGET_DIR=f"{scratch}/target")
        subprocess.run(["cargo", "build", "--release", "--quiet"], cwd=to, env=environment, check=True)
        command = [f"{scratch}/target/release/zerostokes", "run", "cases/suspension.toml"]
        command += ["--out", f"{scratch}/out", "--threads", "1", "--quiet"]
        for setting in small + asked.set:
            command += ["--set", setting]
        printed = subprocess.run(command, cwd=to, env=environment, check=True, capture_output=True, text=True)
    walk = [line.split()[1:] for line in printed.stdout.splitlines() if line.startswith("WALK ")]
    if asked.list:
        for file, name, line, length in walk:
            print(f"{file}:{line} {name} {length}")
    print("lines   functions   files   changes of file")
    for least in (0, 3, 10, 12):
        files = [file for file, _, _, length in walk if int(length) > least]
        changes = sum(one != other for one, other in zip(files, files[1:]))
        print(f"> {least:<6}{len(files):>9}{len(set(files)):>8}{changes:>18}")


if __name__ == "__main__":
    main()
