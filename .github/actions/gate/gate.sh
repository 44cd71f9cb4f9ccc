#!/usr/bin/env bash
# Runs `itemcurve gate`; its verdict becomes outputs, a summary of the job, and the exit code.
set -u

work="${RUNNER_TEMP:-$(mktemp -d)}/itemcurve-gate"
mkdir -p "$work"
markdown="$work/gate.md"
junit="$work/gate.xml"
rm -f "$markdown" "$junit"

options=()
while IFS= read -r line; do
  [ -n "$line" ] && options+=("$line")
done <<< "${ARGUMENTS:-}"

python -m itemcurve gate "$BASELINE" "$CANDIDATE" --margin "$MARGIN" \
  --markdown "$markdown" --junit "$junit" ${options[@]+"${options[@]}"}
code=$?

case $code in
  0) verdict="ship" ;;
  10) verdict="regression" ;;
  11) verdict="cannot tell" ;;
  *) verdict="" ;;
esac
difference=""
if [ -f "$junit" ]; then
  difference=$(sed -n 's/.*name="difference" value="\([^"]*\)".*/\1/p' "$junit" | head -n 1)
fi
if [ -n "${GITHUB_OUTPUT:-}" ]; then
  {
    echo "verdict=$verdict"
    echo "difference=$difference"
    echo "markdown=$markdown"
    echo "junit=$junit"
  } >> "$GITHUB_OUTPUT"
fi
if [ -n "${GITHUB_STEP_SUMMARY:-}" ] && [ -f "$markdown" ]; then
  cat "$markdown" >> "$GITHUB_STEP_SUMMARY"
fi
case $code in
  10) echo "::error title=itemcurve gate::regression, difference $difference" ;;
  11)
    if [ "${CANNOT_TELL:-fail}" = "pass" ]; then
      echo "::warning title=itemcurve gate::cannot tell, difference $difference"
      exit 0
    fi
    echo "::error title=itemcurve gate::cannot tell, difference $difference"
    ;;
esac
exit "$code"
