import { Command, CommanderError } from 'commander'
import { Fault } from '../base/fault.ts'
import { VERSION } from '../compose/package.ts'
import { COMMANDS } from './commands/index.ts'
import { UserError } from './user-error.ts'

const program = new Command('backlot')
  .description('The film set for GUI agents: synthetic desktops, agent backends and conformance.')
  .version(VERSION)
  .showHelpAfterError('(add --help for what there is)')
  .exitOverride()
  .addHelpText(
    'after',
    `
Examples:
  backlot serve                                serve the default desktop on http://127.0.0.1:5001
  backlot serve --scenario login --port 5002   a scenario of the gallery, or a file
  backlot serve --mode mcp                     speak MCP on standard input and output
  backlot demo                                 watch an agent log in, over HTTP
  backlot validate my-scenario.yaml            check a scenario, with line and column
  backlot render my-scenario.yaml -o shot.png  paint its first screen`,
  )

/** Carries out what the arguments ask for. */
async function run(args: readonly string[]): Promise<void> {
  for (const command of commandsFor(args[0] ?? '')) program.addCommand((await command()).copyInheritedSettings(program))
  try {
    await program.parseAsync(args, { from: 'user' })
  } catch (error) {
    process.exitCode = exitCodeOf(error)
  }
}

function commandsFor(asked: string): readonly (() => Promise<Command>)[] {
  if (Object.hasOwn(COMMANDS, asked)) return [COMMANDS[asked]!]
  return ['--version', '-V'].includes(asked) ? [] : Object.values(COMMANDS)
}

/** Bad usage is 2, as shells have it; trouble of the command itself is 1 and told in its own words. */
function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  if (error instanceof UserError || (error instanceof Fault && error.code !== 'Internal')) {
    process.stderr.write(`backlot: ${error.message}\n`)
    return 1
  }
  throw error
}

// Whoever reads what is said may have read enough, as `head` has; a terminal that was closed answers EIO.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EIO') return
    if (error.code !== 'EPIPE') throw error
    process.exit()
  })

// Not awaited, which a script cannot do; what fails in it ends the process as any error does.
void run(process.argv.slice(2))
