import { Command } from 'commander'
import { examine, type Finding } from '../../compose/doctor.ts'

/** `backlot doctor`: lists what is missing to control the desktop of this session, and how to install it. */
export function doctorCommand(): Command {
  return new Command('doctor')
    .description('Check whether Backlot can control the real desktop of this session, and explain how to fix problems.')
    .option('--json', 'print the findings as JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const findings = await examine({ platform: process.platform, env: process.env })
      const isReady = findings.every(({ verdict }) => verdict !== 'bad')
      process.stdout.write(json ? `${JSON.stringify(findings, null, 2)}\n` : report(findings, isReady))
      if (!isReady) process.exitCode = 1
    })
}

const MARKS = { good: '✓', note: '!', bad: '✗' } as const

function report(findings: readonly Finding[], isReady: boolean): string {
  const width = Math.max(...findings.map(({ subject }) => subject.length))
  const lines = findings.flatMap(({ subject, verdict, found, fix }) => [
    `  ${MARKS[verdict]} ${subject.padEnd(width)}  ${found}`,
    ...(fix ? [`    ${' '.repeat(width)}  → ${fix}`] : []),
  ])
  const verdict = isReady
    ? 'Backlot can control this desktop. Run: backlot serve --adapter linux'
    : 'Backlot cannot control this desktop yet. Synthetic desktops always work: backlot serve'
  return `\n${lines.join('\n')}\n\n  ${verdict}\n`
}
