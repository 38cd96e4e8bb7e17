import { parseCommand } from './commands.ts'
import type { ServerContext } from './context.ts'
import { runPython } from './programs.ts'
import { repr, str } from './python/value.ts'
import type { CommandResult } from './score-command.ts'
import type { ToolCaller } from './tool-caller.ts'

const NOTHING_RUNS =
  'this desktop runs "python -c CODE" and "backlot select" or "backlot score", one in a command, and no other program'
const MAX_NAME_CHARACTERS = 100

/** Runs a command of a client in its turn. Nothing is executed on this machine: unknown commands fail. */
export function runCommand(
  { programs, scores }: Pick<ServerContext, 'programs' | 'scores'>,
  caller: ToolCaller,
  command: string | readonly string[],
  isShell: boolean,
): Promise<CommandResult> {
  return programs.inTurn(async () => {
    const parsed = parseCommand(command, isShell)
    switch (parsed.kind) {
      case 'python': {
        const { output, error, returnCode } = await runPython(caller, parsed.code)
        return { output, error, returncode: returnCode }
      }
      case 'backlot':
        return scores.run(caller, parsed.words)
      case 'compound': {
        const error = `/bin/sh: 1: Syntax error: ${JSON.stringify(parsed.operator)} is not supported\n`
        return { output: '', error: `${error}${NOTHING_RUNS}\n`, returncode: 2 }
      }
      case 'unknown': {
        const name = parsed.program.slice(0, MAX_NAME_CHARACTERS)
        const error = isShell
          ? `/bin/sh: 1: ${name}: not found\n`
          : `[Errno 2] No such file or directory: ${repr(str(name))}\n`
        return { output: '', error: `${error}${NOTHING_RUNS}\n`, returncode: isShell ? 127 : 1 }
      }
    }
  })
}
