#!/bin/sh
# Repeats the experiment of docs/transfer.md after `npx tsx bench/transfer/capture.ts --install --out DATA`:
# sh bench/transfer/run.sh DATA PYTHON [STEPS] [PICTURES] [THREADS] [SEED]. What is there already is not made again.
set -eu
data=$1 python=$2 steps=${3:-300} pictures=${4:-200} threads=${5:-2} seed=${6:-1}
here=$(dirname "$0")
suffix=""
[ "$seed" = 1 ] || suffix="-seed$seed"

gallery=$(ls scenarios/*.yaml | grep -v -e legacy -e installer)
tasks=$(ls -d scenarios/apps/*/tasks | while read -r folder; do ls "$folder"/*.yaml | head -n 2; done)

dataset() {
  name=$1
  shift
  [ -f "$data/$name/manifest.json" ] ||
    npx tsx src/cli/main.ts dataset $gallery $tasks --count "$pictures" --seed 1 --workers "$threads" --out "$data/$name" "$@"
  [ -f "$data/$name/boxes.jsonl" ] || npx tsx bench/transfer/synthetic.ts "$data/$name"
}
dataset one-style --style gnome --variants none
dataset all-styles --variants style
dataset variants --variants all

mkdir -p "$data/found" "$data/models" "$data/logs"
train() {
  name=$1
  shift
  [ -f "$data/models/$name.pt" ] ||
    "$python" "$here/detector.py" --threads "$threads" train --steps "$steps" --seed "$seed" --out "$data/models/$name.pt" "$@" |
    tee "$data/logs/$name.txt"
}
detect() {
  model=$1 out=$2
  shift 2
  "$python" "$here/detector.py" --threads "$threads" detect --model "$data/models/$model.pt" --out "$data/found/$out.jsonl" "$@"
}
for name in variants all-styles one-style; do
  train "$name$suffix" --boxes "$data/$name/boxes.jsonl" --group train
  [ -f "$data/found/$name$suffix.jsonl" ] || detect "$name$suffix" "$name$suffix" --boxes "$data/real/boxes.jsonl" --group A B C D
  [ -f "$data/found/$name$suffix.synthetic.jsonl" ] ||
    detect "$name$suffix" "$name$suffix.synthetic" --boxes "$data/variants/boxes.jsonl" --group test
done
rm -f "$data/found/real$suffix.jsonl"
for half in "A B" "C D"; do
  others="A B"
  [ "$half" = "C D" ] || others="C D"
  name="real-for-$(echo "$half" | tr -d ' ')$suffix"
  train "$name" --boxes "$data/real/boxes.jsonl" --group $others
  detect "$name" "real$suffix" --boxes "$data/real/boxes.jsonl" --group $half
done
tail -qn 1 "$data"/logs/*.txt | "$python" -c '
import json, sys
print(json.dumps([json.loads(line) for line in sys.stdin], indent=1))' >"$data/training.json"
npx tsx bench/transfer/results.ts --data "$data"
