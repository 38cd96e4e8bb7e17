import { createInterface } from 'node:readline/promises'
import { Command } from 'commander'
import { quoted } from '../../base/strings.ts'
import { examine, type Finding, repair } from '../../compose/doctor.ts'
import { secretOption, UserError } from '../arguments.ts'

interface DoctorFlags {
  readonly json?: boolean
  readonly fix?: boolean
  readonly url?: string
  readonly remoteToken?: string
}

/** `backlot doctor`: lists what is missing to control the desktop of this session, and how to install it. */
export function doctorCommand(): Command {
  return new Command('doctor')
    .description('Check whether Backlot can control the real desktop of this session, and explain how to fix problems.')
    .option('--json', 'print the findings as JSON')
    .option(
      '--fix',
      'first set up what this desktop needs, after asking you: the permission of KWin, or the extension of GNOME Shell',
    )
    .option('--url <url>', 'check the desktop behind another observer instead, as for serve --adapter remote')
    .addOption(
      secretOption(
        '--remote-token <secret>',
        'with --url: the token that the other server requires',
        'BACKLOT_REMOTE_TOKEN',
      ),
    )
    .action(async ({ json, fix, url, remoteToken: token }: DoctorFlags) => {
      if (fix && url !== undefined) throw new UserError('--fix applies to this machine; omit it or --url')
      if (fix && json) throw new UserError('--fix asks a person; omit it or --json')
      if (fix) await fixProblems()
      const remote = url === undefined ? undefined : { url, token }
      const findings = await examine({ platform: process.platform, env: process.env }, remote)
      const isReady = findings.every(({ verdict }) => verdict !== 'bad')
      const adapter = url === undefined ? 'auto' : `remote --url ${quoted(url)}`
      process.stdout.write(json ? `${JSON.stringify(findings, null, 2)}\n` : report(findings, isReady, adapter))
      if (!isReady) process.exitCode = 1
    })
}

async function fixProblems(): Promise<void> {
  const done = await repair({ platform: process.platform, env: process.env }, askPerson)
  const lines = done.length > 0 ? done : ['there is nothing here that --fix sets up']
  process.stdout.write(`\n${lines.map((line) => `  ${line}\n`).join('')}`)
}

/** Shows lines and asks whether to go on. Without a terminal there is nobody to ask. */
async function askPerson(lines: readonly string[]): Promise<boolean> {
  process.stdout.write(`\n${lines.map((line) => `  ${line}\n`).join('')}\n`)
  if (!process.stdin.isTTY) {
    process.stdout.write('  Run this in a terminal to agree.\n')
    return false
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return /^y(es)?$/i.test((await terminal.question('  Go on? [y/N] ')).trim())
  } finally {
    terminal.close()
  }
}

const MARKS = { good: '✓', note: '!', bad: '✗' } as const

function report(findings: readonly Finding[], isReady: boolean, adapter: string): string {
  const width = Math.max(...findings.map(({ subject }) => subject.length))
  const lines = findings.flatMap(({ subject, verdict, found, fix }) => [
    `  ${MARKS[verdict]} ${subject.padEnd(width)}  ${found}`,
    ...(fix ? [`    ${' '.repeat(width)}  → ${fix}`] : []),
  ])
  const verdict = isReady
    ? `Backlot can control this desktop. Run: backlot serve --adapter ${adapter}`
    : 'Backlot cannot control this desktop yet. Synthetic desktops always work: backlot serve'
  return `\n${lines.join('\n')}\n\n  ${verdict}\n`
}
