#!/usr/bin/env bash
# Compares the results of two zerostokes binaries, byte for byte.
#
#   tests/same_results.sh [options] NEW OLD
#
#   --quick        one short run for each part of the program, one thread, under a minute
#   --only REGEX   only the jobs whose name matches
#   --figures      also compare the content of figures (otherwise only that the same ones exist)
#   --files-only   do not compare what is printed on stdout and stderr
#   --cache DIR    keep the results of OLD, so that the next call runs only NEW
#   --tree DIR     take the cases and snapshots of this source tree [default: that of the script]
#   --jobs N       jobs at a time [default: all cores]
#   --list         print the names of the jobs; those of --quick are marked
#
# Every job is a few commands in an empty directory; all files that they leave are compared. OLD
# runs on one thread, NEW on one and on two. Left out: checkpoints, manifests, and what depends on
# the machine (wall_seconds, stage_seconds, peak_memory_bytes, and the printed lines about them).
# What differs is kept, and its place is printed. Exit code 1 if anything differs.
set -uo pipefail

fail() { echo "same_results.sh: $*" >&2; exit 2; }
absolute() { [[ -x $1 && ! -d $1 ]] || fail "$1 is no program"; realpath -- "$1"; }

# --- What a job consists of. `$Z` is the binary, `$T` the number of threads. ---

# run CASE KEY=VALUE…: a run in `out`.
run() {
    local case=$1 set=() each
    shift
    for each; do set+=(--set "$each"); done
    "$Z" run "$case" --threads "$T" --out out "${set[@]}"
}

# stopped CASE: with OLD ($WHOLE is empty) a run; with NEW the same run, killed at a third of its
# rows, terminated at two thirds, and resumed after each. Figures are not kept.
stopped() {
    local start=("$Z" run "$1" --threads "$T" --out out --quiet)
    start+=(--set output.checkpoint_seconds=0.01)
    local resume=("$Z" resume out --threads "$T" --quiet) stops=0
    if [[ -n $WHOLE ]]; then
        stop_at 1 KILL "${start[@]}"
        # Too late: the last files may be missing.
        finished && rm -rf out && "${start[@]}"
        finished || stop_at 2 TERM "${resume[@]}"
        finished || "${resume[@]}"
        echo $stops > "$PWD.stops"
    else
        "${start[@]}"
    fi
    rm -f out/*.svg out/*.png
}
finished() { grep -qs '"finished": true' out/summary.json; }

# stop_at THIRDS SIGNAL COMMAND…: stops a run when so much of the table is written.
stop_at() {
    local thirds=$1 signal=$2 all pid rows
    shift 2
    all=$(stat -c %s "$WHOLE/out/timeseries.csv")
    "$@" & pid=$!
    while kill -0 $pid 2> /dev/null; do
        rows=$(stat -c %s out/timeseries.csv 2> /dev/null || echo 0)
        if ((3 * rows >= thirds * all)) && [[ -e out/checkpoint.json ]]; then
            kill -s "$signal" $pid 2> /dev/null && stops=$((stops + 1))
            break
        fi
    done
    wait $pid 2> /dev/null
}

# touching COUNT FRACTION: a file with particles of which many overlap a little.
touching() {
    "$Z" pack -n "$1" -p "$2" -o packing.extxyz
    awk 'NR > 2 { $6 *= 1.01 } 1' packing.extxyz > touching.extxyz
}

# sweep FILE POINTS KEY=VALUE…: a sweep with at most so many values of each key, in `out`.
sweep() {
    python3 - "$@" > short.toml <<'PY'
import re, sys
path, points, *settings = sys.argv[1:]
text, points = open(path).read(), int(points)

def few(match):
    values = [value.strip() for value in match[1].split(",")]
    if len(values) > points:
        values = [values[round(k * (len(values) - 1) / (points - 1))] for k in range(points)]
    return f"values = [{', '.join(values)}]"

text = re.sub(r"values = \[([^\]]*)\]", few, text)
text = re.sub(r"(?m)^count = (\d+)", lambda m: f"count = {min(int(m[1]), points)}", text)
text = text.replace('case = "', 'case = "cases/')
for setting in settings:
    key, value = setting.split("=", 1)
    pattern = re.compile(rf'"{re.escape(key)}" = [^,\s}}]+')
    line = f'"{key}" = {value}'
    if pattern.search(text):
        text = pattern.sub(line, text)
    elif "[set]" in text:
        text = text.replace("[set]", f"[set]\n{line}")
    else:
        text = re.sub(r"(?m)^\[\[", f"[set]\n{line}\n[[", text, count=1)
sys.stdout.write(text)
PY
    "$Z" sweep short.toml --out out --jobs "$T"
}

# Takes away what depends on the machine, in the directory of a job.
tidy() {
    find . -type f \( -name checkpoint.json -o -name manifest.json -o -name .lock \) -delete
    find . -name summary.json -exec sed -i \
        '/"stage_seconds": {/,/}/d; /"wall_seconds":/d; /"peak_memory_bytes":/d' {} +
    find . -name sweep.csv -exec python3 -c '
import csv, sys
for path in sys.argv[1:]:
    rows = list(csv.reader(open(path, newline="")))
    machine = ("wall_seconds", "peak_memory_bytes", "stage_seconds.")
    kept = [k for k, name in enumerate(rows[0]) if not name.startswith(machine)]
    csv.writer(open(path, "w", newline="")).writerows([row[k] for k in kept] for row in rows)
' {} +
    sed -Ei '/^(cost|per unit of strain|time goes into|memory|time) /d; s/, [0-9.]+ s: /: /' stdout
    find . \( -name case.toml -o -name sweep.toml -o -name stdout -o -name stderr \) -exec sed -i \
        "s|$(pwd -P)|HERE|g" {} +
    # Of progress nothing, of notes and errors everything; sweeps tell them in any order.
    grep -E '(note|warning|error|failed):|^ ' stderr | grep -v ' left$' | sort > notes
    rm -f stderr cases formats
}
export -f run stopped stop_at finished touching sweep tidy

# --- What the lists of jobs, in the directory same_results, are written with. ---

names=() commands=() quickly=()
quick=no

# job NAME COMMAND: a job of any commands.
job() { names+=("$1"); commands+=("$2"); quickly+=("$quick"); }
# marked JOB…: one of those of --quick.
marked() { quick=yes; "$@"; quick=no; }
# shipped NAME FILE KEY=VALUE…: a shipped case.
shipped() { job "$1" "run cases/$2 ${*:3}"; }
# written NAME TEXT: a case of one's own.
written() { job "$1" "printf '%s\n' $(printf %q "$2") > case.toml; run case.toml"; }
# resumed NAME TEXT: the same, stopped on the way.
resumed() { job "resume-$1" "printf '%s\n' $(printf %q "$2") > case.toml; stopped case.toml"; }
# pressed NAME COUNT FRACTION TEXT [ACTION]: particles that touch from the beginning.
pressed() {
    local text="[particles]
file = \"touching.extxyz\"
$4"
    job "$1" "touching $2 $3; printf '%s\n' $(printf %q "$text") > case.toml
        ${5:-run} case.toml"
}
# swept FILE POINTS KEY=VALUE…: a shipped sweep.
swept() { job "${1%.toml}" "sweep cases/$1 ${*:2}"; }

# --- Running and comparing. ---

# perform BINARY THREADS DIRECTORY COMMAND WHOLE: a job, tidied up, in a new directory.
perform() {
    rm -rf -- "$3"
    mkdir -p -- "$3"
    (
        cd -- "$3" || exit
        ln -s "$tree/cases" cases
        ln -s "$tree/tests/reference/formats" formats
        Z=$1 T=$2 WHOLE=$5 RAYON_NUM_THREADS=$2 \
            timeout 300 bash -c "$4" > stdout 2> stderr < /dev/null
        echo $? > exit_code
        tidy
    )
}

# difference NEW OLD: the first file and line that differ, nothing if none do.
difference() {
    local file place
    while read -r file; do
        case $file in
            *.svg | *.png) [[ $figures == yes || ! -e $1/$file || ! -e $2/$file ]] || continue ;;
            ./stdout | ./notes) [[ $printed == yes ]] || continue ;;
        esac
        if [[ $file == ./exit_code ]] && ! cmp -s "$1/$file" "$2/$file"; then
            echo "exit code $(< "$1/$file") instead of $(< "$2/$file"), $(tail -n 1 "$1/notes")"
            return
        fi
        [[ -e $2/$file ]] || { echo "$file: not among the old files"; return; }
        [[ -e $1/$file ]] || { echo "$file: missing"; return; }
        place=$(cmp -- "$1/$file" "$2/$file" 2>&1) && continue
        echo "$file: ${place#*"$2/$file"}"
        return
    done < <(
        { cd -- "$1" && find . -type f; cd -- "$2" && find . -type f ! -name .key; } \
            | sort -u | awk '{ last = /\/(stdout|notes|case.toml)$/; print last, $0 }' \
            | sort -s -k1,1n | cut -d' ' -f2
    )
}

# one INDEX: runs a job with both binaries where needed, and tells.
one() {
    local name=${names[$1]} command=${commands[$1]} before key threads found stops start took
    before=$cache/$name
    key=$(sha256sum <<< "$command")
    if [[ ! -e $before/.key || $(< "$before/.key") != "$key" ]]; then
        perform "$old" 1 "$scratch/old-$name" "$command" ""
        echo "$key" > "$scratch/old-$name/.key"
        rm -rf -- "$before"
        mv -T -- "$scratch/old-$name" "$before"
    fi
    for threads in $all_threads; do
        local after=$scratch/$name-$threads
        start=${EPOCHREALTIME/./}
        perform "$new" "$threads" "$after" "$command" "$before"
        took=$(((${EPOCHREALTIME/./} - start) / 100000))
        took=$((took / 10)).$((took % 10))
        found=$(difference "$after" "$before")
        stops=""
        [[ -e $after.stops ]] && stops=", stopped $(< "$after.stops") times"
        if [[ -z $found ]]; then
            printf 'OK       %-28s %s threads, %s s, exit code %s%s\n' "$name" "$threads" \
                "$took" "$(< "$after/exit_code")" "$stops"
            rm -rf -- "$after" "$after.stops"
        else
            printf 'DIFFERS  %-28s %s threads: %s\n         %s, before: %s\n' "$name" "$threads" \
                "$found" "$after" "$before"
        fi
    done
}

here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
tree=${here%/*} cache="" only=. at_a_time=$(nproc) figures=no printed=yes
all_threads="1 2" wanted=any only_list=no binaries=()
while (($#)); do
    case $1 in
        --quick) wanted=yes all_threads=1 ;;
        --figures) figures=yes ;;
        --files-only) printed=no ;;
        --list) only_list=yes ;;
        --only) only=$2; shift ;;
        --cache) cache=$2; shift ;;
        --tree) tree=$(realpath -- "$2"); shift ;;
        --jobs) at_a_time=$2; shift ;;
        -*) fail "unknown option $1" ;;
        *) binaries+=("$1") ;;
    esac
    shift
done

for list in suspensions particles commands resumed; do
    # shellcheck source=/dev/null
    source "$here/same_results/$list.sh"
done

if [[ $only_list == yes ]]; then
    for k in "${!names[@]}"; do
        echo "${names[$k]}$([[ ${quickly[$k]} == yes ]] && echo " (quick)")"
    done
    exit
fi
((${#binaries[@]} == 2)) || fail "usage: same_results.sh [options] NEW OLD"
new=$(absolute "${binaries[0]}") || exit 2
old=$(absolute "${binaries[1]}") || exit 2
scratch=$(mktemp -d -t same_results.XXXXXX)
cache=${cache:-$scratch/old}
# What the results of OLD depend on, beside the command.
state=$({
    declare -f run stopped stop_at finished touching sweep tidy perform
    cat -- "$old" "$tree"/cases/*.toml "$tree"/tests/reference/formats/*
} | sha256sum | cut -c 1-16)
mkdir -p -- "$cache/$state" || exit 2
cache=$(realpath -- "$cache/$state")

began=$SECONDS expected=0
for k in "${!names[@]}"; do
    [[ ${names[$k]} =~ $only ]] || continue
    [[ $wanted == any || ${quickly[$k]} == yes ]] || continue
    for threads in $all_threads; do expected=$((expected + 1)); done
    while (($(jobs -rp | wc -l) >= at_a_time)); do wait -n; done
    one "$k" | tee -a "$scratch/verdicts" &
done
wait
same=$(grep -c '^OK' "$scratch/verdicts")
differ=$(grep -c '^DIFFERS' "$scratch/verdicts")
echo "$same the same, $differ differ, $((SECONDS - began)) s"
((expected == same + differ)) || fail "$((expected - same - differ)) jobs said nothing"
((differ == 0)) || exit 1
rm -rf -- "$scratch"
