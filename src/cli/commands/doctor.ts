import { Command } from 'commander'
import { quoted } from '../../base/strings.ts'
import { examine, type Finding } from '../../compose/doctor.ts'
import { secretOption } from '../arguments.ts'

/** `backlot doctor`: lists what is missing to control the desktop of this session, and how to install it. */
export function doctorCommand(): Command {
  return new Command('doctor')
    .description('Check whether Backlot can control the real desktop of this session, and explain how to fix problems.')
    .option('--json', 'print the findings as JSON')
    .option('--url <url>', 'check the desktop behind another observer instead, as for serve --adapter remote')
    .addOption(
      secretOption(
        '--remote-token <secret>',
        'with --url: the token that the other server requires',
        'BACKLOT_REMOTE_TOKEN',
      ),
    )
    .action(async ({ json, url, remoteToken: token }: { json?: boolean; url?: string; remoteToken?: string }) => {
      const remote = url === undefined ? undefined : { url, token }
      const findings = await examine({ platform: process.platform, env: process.env }, remote)
      const isReady = findings.every(({ verdict }) => verdict !== 'bad')
      const adapter = url === undefined ? 'auto' : `remote --url ${quoted(url)}`
      process.stdout.write(json ? `${JSON.stringify(findings, null, 2)}\n` : report(findings, isReady, adapter))
      if (!isReady) process.exitCode = 1
    })
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
