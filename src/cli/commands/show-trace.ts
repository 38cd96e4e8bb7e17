import { writeFileSync } from 'node:fs'
import { Command, Option } from 'commander'
import { episodeOfTrace } from '../../evaluation/results/recordings.ts'
import { readRun } from '../../recording/read-run.ts'
import { recordingHtml } from '../../recording/recording-page.ts'
import { serveRun } from '../../recording/serve-run.ts'
import { bindingsOption, portNumber, UserError } from '../arguments.ts'
import { exitCodeFor, waitForSignal } from '../program.ts'

interface ShowTraceFlags {
  readonly scenario?: string
  readonly bindings?: Readonly<Record<string, unknown>>
  readonly html?: string
  readonly json?: string
  readonly port: number
}

/** The bound of the search for the step at which a failed run was lost. */
const MAX_SCREENS = 300
const MAX_SEARCH_MS = 5000

function expiresAfter(ms: number): () => boolean {
  let endMs: number | undefined
  return () => {
    endMs ??= performance.now() + ms
    return performance.now() > endMs
  }
}

/** `backlot show-trace`: shows a recorded run in the browser. */
export function showTraceCommand(): Command {
  return new Command('show-trace')
    .description('Show a recorded run in the browser: pictures, element trees and causes of each step.')
    .argument('<path>', 'folder of a trace, its trace.jsonl, or a zip archive of the folder')
    .argument('[other]', 'a second run to compare it with')
    .option('--scenario <file>', 'scenario of the trace (default: the one that the trace names)')
    .addOption(bindingsOption())
    .addOption(new Option('--html <file>', 'write one HTML file that opens without a server').conflicts('json'))
    .option('--json <file>', 'write the recording as JSON, without its pictures')
    .option('--port <number>', 'port of the page on this machine (0: any free port)', portNumber, 0)
    .addHelpText(
      'after',
      `
Examples:
  backlot show-trace results/episodes/login-7
  backlot show-trace run.zip --html run.html
  backlot show-trace good/trace.jsonl bad/trace.jsonl`,
    )
    .action(async (path: string, otherPath: string | undefined, flags: ShowTraceFlags) => {
      const { scenario, bindings, html, json, port } = flags
      const lostWithin = { maxScreens: MAX_SCREENS, isExpired: expiresAfter(MAX_SEARCH_MS) }
      const read = (each: string) => {
        const episode = episodeOfTrace(each)
        return readRun(each, { ...episode, scenario: scenario ?? episode?.scenario, bindings, lostWithin })
      }
      const run = await read(path)
      const other = otherPath === undefined ? undefined : await read(otherPath)
      for (const warning of [run, other].flatMap((each) => each?.recording.warnings ?? []))
        process.stderr.write(`warning: ${warning}\n`)
      if (json !== undefined) return write(json, `${JSON.stringify(run.recording)}\n`)
      if (html !== undefined) return write(html, await recordingHtml(run, other))
      const ended = waitForSignal()
      const report = (bug: unknown) => process.stderr.write(`backlot: internal error: ${String(bug)}\n`)
      const server = await listening(port, () => serveRun({ run, other, port, report }))
      process.stdout.write(`${server.url}\n`)
      process.stderr.write('press Ctrl-C to end\n')
      const signal = await ended
      await server.close()
      process.exitCode = exitCodeFor(signal)
    })
}

function write(file: string, text: string): void {
  try {
    writeFileSync(file, text)
  } catch (error) {
    throw new UserError(`cannot write ${file} (${(error as NodeJS.ErrnoException).code}); choose another file`)
  }
  process.stderr.write(`wrote ${file}, ${(Buffer.byteLength(text) / 1e6).toFixed(1)} MB\n`)
}

async function listening<T>(port: number, open: () => Promise<T>): Promise<T> {
  try {
    return await open()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EADDRINUSE' && code !== 'EACCES') throw error
    throw new UserError(`the port ${port} cannot be used (${code}); choose another with --port`)
  }
}
