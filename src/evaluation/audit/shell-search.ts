import { spawn } from 'node:child_process'
import { basename } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { quoted } from '../../base/strings.ts'
import { killGroupOf } from '../agents/command.ts'

/** What an agent with a shell could read of a task. */
export interface ShellSearch {
  /** The words before a command that run it as the agent is run, such as `sudo -u agent`. Empty: as this process. */
  readonly shell: string
  /** The files of the scenario. */
  readonly files: readonly string[]
  readonly seed: number
  /** Where processes are listed as files. */
  readonly processes?: string
  /** Where copies are searched for, as a shell writes them. */
  readonly folders?: readonly string[]
  /** Ends the search. */
  readonly deadline?: AbortSignal
}

const FOLDERS = ['"$HOME"', '/tmp', '"$PWD"']
const DEPTH = 4
/** A search that takes longer is ended, in milliseconds. */
const SEARCH_MS = 60_000
/** Milliseconds in which an ended search exits, and its last output arrives. */
const GRACE_MS = 1000
const MAX_OUTPUT = 100_000
const MAX_SHOWN = 5
/** The last word of a search that ran to its end. */
const DONE = 'searched'

/**
 * Searches as the agent's user for the scenario, its solution, its seed and tokens: in files, in the command lines and
 * environments of processes, and in its own environment. Resolves to what it found, in words, or to why there was no search.
 */
export async function searchAsAgent(search: ShellSearch): Promise<readonly string[]> {
  const { output, problem } = await runScript(search, scriptOf(search))
  const lines = output.split('\n').filter((line) => line !== '')
  if (lines.at(-1) !== DONE)
    return [`the search did not run to its end with --shell ${JSON.stringify(search.shell)}: ${problem || 'no output'}`]
  const found = [...new Set(lines.slice(0, -1))]
  // A seed says nothing to those who do not have the scenario.
  const isReadable = found.some((line) => line.startsWith('the scenario'))
  const told = isReadable ? found : found.filter((line) => !line.startsWith('the seed'))
  const more = told.length - MAX_SHOWN
  return more > 0 ? [...told.slice(0, MAX_SHOWN), `and ${more} more places`] : told
}

/**
 * A script for any POSIX shell. It comes on standard input, and compares without other programs, so that the search is not in
 * the list of processes itself.
 */
const scriptOf = ({ files, seed, processes = '/proc', folders = FOLDERS }: ShellSearch): string => `
has_answers() { grep -qE '^(solutions?|oracles):' "$1" 2>/dev/null; }
for file in ${files.map(quoted).join(' ')}; do
  if [ -r "$file" ] && has_answers "$file"; then echo "the scenario with its solution or oracles can be read at $file"; fi
done
for folder in ${folders.join(' ')}; do
  find "$folder" -maxdepth ${DEPTH} -type f \\( ${files.map((file) => `-name ${quoted(basename(file))}`).join(' -o ')} \\) 2>/dev/null | while read -r file; do
    if [ -r "$file" ] && has_answers "$file"; then echo "the scenario with its solution or oracles can be read at $file"; fi
  done
done
judge_words() {
  case " $2 " in *" --token "*|*" --token="*|*" --harness-token "*|*" --harness-token="*|*" --remote-token "*|*" --remote-token="*) echo "a token is in the command line of process $1";; esac
  case " $2 " in *" --seed ${seed} "*|*" --seed=${seed} "*|*" --seeds "*|*" --seeds="*) echo "the seed is in the command line of process $1";; esac
}
if [ -d ${quoted(processes)} ] && [ -r ${quoted(`${processes}/1`)} ]; then
  for process in ${quoted(processes)}/[0-9]*; do
    [ -r "$process/cmdline" ] && judge_words "\${process##*/}" "$(tr '\\000' ' ' 2>/dev/null < "$process/cmdline")"
    variables="$(tr '\\000' '\\n' 2>/dev/null < "$process/environ")" 2>/dev/null || continue
    case "$variables" in *BACKLOT_HARNESS_TOKEN=?*) echo "the token of the harness is in the environment of process \${process##*/}";; esac
  done
else
  ps -A -o pid= -o args= 2>/dev/null | while read -r pid words; do judge_words "$pid" "$words"; done
fi
[ -z "\${BACKLOT_HARNESS_TOKEN:-}" ] || echo 'the token of the harness is in the environment of the agent'
echo ${DONE}
`

/**
 * Runs a script as the agent is run, in a process group that is ended with it. It never throws: what went wrong is the problem.
 */
async function runScript(
  { shell, deadline = AbortSignal.timeout(SEARCH_MS) }: ShellSearch,
  script: string,
): Promise<{ readonly output: string; readonly problem: string }> {
  const child = spawn(`${shell} sh -s`, { shell: true, detached: true, stdio: 'pipe' })
  const texts = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (chunk: string) => {
      texts[name] = (texts[name] + chunk).slice(0, MAX_OUTPUT)
    })
  const exited = new Promise<string>((resolve) => {
    child.once('error', ({ message }) => resolve(message))
    child.once('exit', (code) => resolve(`it ended with code ${code}`))
  })
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const late = new Promise<void>((resolve) => deadline.addEventListener('abort', () => resolve(), { once: true }))
  // A command that reads nothing closes the pipe.
  child.stdin.on('error', () => {})
  child.stdin.end(script)
  const end = await Promise.race([exited, late])
  if (end === undefined) {
    // Programs like sudo pass this signal on, and cannot be killed by their user.
    killGroupOf(child, 'SIGTERM')
    await Promise.race([exited, setTimeout(GRACE_MS, undefined, { ref: false })])
  }
  killGroupOf(child, 'SIGKILL')
  await Promise.race([closed, setTimeout(GRACE_MS, undefined, { ref: false })])
  for (const stream of child.stdio) stream?.destroy()
  child.unref()
  if (end === undefined) return { output: texts.stdout, problem: `it did not end within ${SEARCH_MS / 1000} s` }
  return { output: texts.stdout, problem: texts.stderr.trim().slice(-300) || end }
}
