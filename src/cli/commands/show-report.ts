import { writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { Command } from 'commander'
import { recordingFiles, reportPage } from '../../evaluation/report/report-page.ts'
import { type ReportedFolder, readReport, reportApp } from '../../evaluation/report/serve-report.ts'
import { SuiteError } from '../../evaluation/suite/load-suite.ts'
import { portNumber, UserError } from '../arguments.ts'
import { exitCodeFor, waitForSignal } from '../program.ts'

interface ShowReportFlags {
  readonly html?: string
  readonly port: number
}

/** `backlot show-report`: the results of an evaluation as a page, served or as one file. */
export const showReportCommand = (): Command =>
  new Command('show-report')
    .description('Show the results of an evaluation as a page: tasks and runs, failures, charts, and a comparison.')
    .argument('<results>', 'folder of the results')
    .argument('[other]', 'folder of results to compare with')
    .option('--html <file>', 'write the page as one file, and do not serve it')
    .option('--port <n>', 'port to serve it on, of this machine only; 0 takes a free one', portNumber, 0)
    .addHelpText(
      'after',
      `
Examples:
  backlot show-report results
  backlot show-report results/monday results/tuesday --html comparison.html`,
    )
    .action(async (results: string, other: string | undefined, flags: ShowReportFlags) => {
      try {
        if (flags.html !== undefined) await writePage(results, other, flags.html)
        else await serve(results, other, flags.port)
      } catch (error) {
        if (error instanceof SuiteError) throw new UserError(error.message)
        throw error
      }
    })

async function writePage(results: string, other: string | undefined, file: string): Promise<void> {
  const folder = dirname(file)
  const reported = (from: string): ReportedFolder => ({ folder: from, recordingOf: recordingFiles(from, folder) })
  const page = await reportPage(await readReport(reported(results), other === undefined ? undefined : reported(other)))
  try {
    writeFileSync(file, page)
  } catch (error) {
    throw new UserError(`cannot write ${file} (${(error as NodeJS.ErrnoException).code}); choose another file`)
  }
  process.stdout.write(`${file}\n`)
}

const HOST = '127.0.0.1'

async function serve(results: string, other: string | undefined, port: number): Promise<void> {
  const app = await reportApp({
    results,
    other,
    onBug: (bug) => process.stderr.write(`backlot: ${(bug as Error)?.stack ?? bug}\n`),
  })
  const ended = waitForSignal()
  const url = await listen(() => app.listen({ host: HOST, port }), port)
  process.stdout.write(`${url}\n`)
  process.stderr.write('Ctrl-C ends the server.\n')
  const signal = await ended
  await app.close()
  process.exitCode = exitCodeFor(signal)
}

async function listen(start: () => Promise<string>, port: number): Promise<string> {
  try {
    return await start()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EADDRINUSE' && code !== 'EACCES') throw error
    throw new UserError(`port ${port} cannot be used (${code}); choose another one with --port, or 0 for a free one`)
  }
}
