import { Command } from 'commander'
import { examine, type Finding } from '../../compose/doctor.ts'

/** `backlot doctor`: what is missing for driving the desktop of this session, and how to get it. */
export function doctorCommand(): Command {
  return new Command('doctor')
    .description('Check whether the real desktop of this session can be driven, and say how to fix what cannot.')
    .option('--json', 'print the findings as JSON')
    .action(async ({ json }: { json?: boolean }) => {
      const findings = await examine({ platform: process.platform, env: process.env })
      const isWell = findings.every(({ verdict }) => verdict !== 'bad')
      process.stdout.write(json ? `${JSON.stringify(findings, null, 2)}\n` : report(findings, isWell))
      if (!isWell) process.exitCode = 1
    })
}

const MARKS = { good: '✓', note: '!', bad: '✗' } as const

function report(findings: readonly Finding[], isWell: boolean): string {
  const width = Math.max(...findings.map(({ subject }) => subject.length))
  const lines = findings.flatMap(({ subject, verdict, found, fix }) => [
    `  ${MARKS[verdict]} ${subject.padEnd(width)}  ${found}`,
    ...(fix ? [`    ${' '.repeat(width)}  → ${fix}`] : []),
  ])
  const verdict = isWell
    ? 'This desktop can be driven: backlot serve --adapter linux'
    : 'This desktop cannot be driven yet; synthetic ones always can: backlot serve'
  return `\n${lines.join('\n')}\n\n  ${verdict}\n`
}
