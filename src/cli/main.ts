#!/usr/bin/env node
import { Command, CommanderError } from 'commander'
import { Fault } from '../base/fault.ts'
import { VERSION } from '../package.ts'
import { certifyCommand } from './commands/certify.ts'
import { demoCommand } from './commands/demo.ts'
import { doctorCommand } from './commands/doctor.ts'
import { renderCommand } from './commands/render.ts'
import { sabotageCommand } from './commands/sabotage.ts'
import { serveCommand } from './commands/serve.ts'
import { testCommand } from './commands/test.ts'
import { validateCommand } from './commands/validate.ts'
import { Trouble } from './trouble.ts'

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
  backlot serve --scenario scenarios/login.yaml --port 5002
  backlot serve --mode mcp                     speak MCP on standard input and output
  backlot demo                                 watch an agent log in, over HTTP
  backlot validate my-scenario.yaml            check a scenario, with line and column
  backlot render my-scenario.yaml -o shot.png  paint its first screen`,
  )

for (const command of [
  serveCommand,
  demoCommand,
  doctorCommand,
  validateCommand,
  renderCommand,
  testCommand,
  certifyCommand,
  sabotageCommand,
])
  program.addCommand(command())

try {
  await program.parseAsync()
} catch (error) {
  process.exitCode = exitCodeOf(error)
}

/** Bad usage is 2, as shells have it; trouble of the command itself is 1 and told in its own words. */
function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  if (error instanceof Trouble || (error instanceof Fault && error.code !== 'Internal')) {
    process.stderr.write(`backlot: ${error.message}\n`)
    return 1
  }
  throw error
}
