import { Command, CommanderError } from 'commander'
import { Fault } from '../base/fault.ts'
import { VERSION } from '../compose/package.ts'
import { UserError } from './arguments.ts'
import { COMMANDS, INTERNAL_COMMANDS } from './commands/index.ts'

const program = new Command('backlot')
  .description('A testbed for GUI agents: synthetic desktops, agent backends and conformance tests.')
  .version(VERSION)
  .showHelpAfterError('(run with --help to list commands and options)')
  .exitOverride()
  .addHelpText(
    'after',
    `
Examples:
  backlot serve                                serve the default desktop on http://127.0.0.1:5001
  backlot serve --scenario login --port 5002   serve a gallery scenario, or a file
  backlot serve --mode mcp                     serve MCP on standard input and output
  backlot demo                                 watch an agent log in, over HTTP
  backlot validate my-scenario.yaml            check a scenario file
  backlot render my-scenario.yaml -o shot.png  render its first screen`,
  )

/** Runs the command that the arguments name. */
async function run(args: readonly string[]): Promise<void> {
  for (const command of commandsFor(args[0] ?? '')) program.addCommand(likeProgram(await command()))
  try {
    await program.parseAsync(args, { from: 'user' })
  } catch (error) {
    process.exitCode = exitCodeOf(error)
  }
}

/** Gives a command and the commands in it what the program says about errors. */
function likeProgram(command: Command): Command {
  for (const inner of command.commands) likeProgram(inner)
  return command.copyInheritedSettings(program)
}

function commandsFor(asked: string): readonly (() => Promise<Command>)[] {
  for (const commands of [COMMANDS, INTERNAL_COMMANDS]) if (Object.hasOwn(commands, asked)) return [commands[asked]!]
  return ['--version', '-V'].includes(asked) ? [] : Object.values(COMMANDS)
}

/** Prints user errors. Returns 2 for them, as shells do; 1 is for what a command has checked and found to fail. */
function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  if (error instanceof UserError || (error instanceof Fault && error.code !== 'Internal')) {
    process.stderr.write(`backlot: ${error.message}\n`)
    return 2
  }
  throw error
}

// Readers such as `head` close the stream early (EPIPE); a closed terminal reports EIO.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EIO') return
    if (error.code !== 'EPIPE') throw error
    process.exit()
  })

// Not awaited, because a CommonJS script cannot. A failure ends the process like any unhandled rejection.
void run(process.argv.slice(2))
