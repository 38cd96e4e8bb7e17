import { writeFileSync } from 'node:fs'
import type { Command } from 'commander'
import { COMMANDS } from '../../src/cli/commands/index.ts'

// Writes the page of the command line to the file that the first argument names.

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

/** A command with its arguments and options. */
function section(command: Command): string {
  const given = command.registeredArguments.map((one) => {
    const name = `${one.name()}${one.variadic ? '…' : ''}`
    return one.required ? `<${name}>` : `[${name}]`
  })
  const options = command.options.map(
    ({ flags, description, argChoices, defaultValue, defaultValueDescription, envVar }) => {
      const details = [
        argChoices && `one of ${argChoices.map((choice) => `\`${choice}\``).join(', ')}`,
        defaultValue !== undefined &&
          defaultValue !== false &&
          `default \`${defaultValueDescription ?? defaultValue}\``,
        envVar && `or the variable \`${envVar}\``,
      ].filter(Boolean)
      return `| \`${cell(flags)}\` | ${cell(description)}${details.length > 0 ? ` (${details.join('; ')})` : ''} |`
    },
  )
  return [
    `## ${command.name()}`,
    '',
    command.description(),
    '',
    '```sh',
    ['backlot', command.name(), ...(options.length > 0 ? ['[options]'] : []), ...given].join(' '),
    '```',
    ...(options.length > 0 ? ['', '| option | effect |', '|---|---|', ...options] : []),
    '',
  ].join('\n')
}

const commands = await Promise.all(Object.values(COMMANDS).map((load) => load()))
const page = [
  '# Command line',
  '',
  'Run a command with `npx backlot COMMAND`, in a checkout after `npm ci` and in a package that has Backlot installed.',
  '',
  ...commands.map(section),
]
writeFileSync(process.argv[2]!, page.join('\n'))
