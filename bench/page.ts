import type { ReportLine } from './harness/measure.ts'

/** The page that `npm run bench -- --write` writes, from the root of the repository. */
export const PAGE = 'docs/performance.md'

/** The rows of one subject. */
export interface BenchTable {
  readonly title: string
  readonly lines: readonly ReportLine[]
}

/** What the page says about the run. */
interface Run {
  readonly machine: string
  readonly load: string
  /** The client that sent HTTP requests. */
  readonly requests: string
}

/** The chapters of the page, and the words in the titles of their subjects. The last one has all others. */
const CHAPTERS = [
  {
    heading: 'Beside other tools',
    intro: `The same work with the tools that people would otherwise use, measured in the same run. Pictures and trees of a browser are
those of a real program; the desktop is synthetic. The steps of real desktops beside pyatspi, xdotool, scrot, grim and wtype have
their own table in [real-desktops.md](real-desktops.md).`,
    words: ['peers', 'Python', 'REST', 'streams'],
  },
  {
    heading: 'What episodes cost',
    intro:
      'Every gallery scenario, played to its end by its own solution: what the environment adds to the time of an agent.',
    words: ['episodes', 'resets', 'datasets', 'recordings'],
  },
  {
    heading: 'How costs grow',
    intro: `With the desktops of a process, the elements of a window, the records behind a table, the calls of a message, the clients of a
server, and the worker processes of an evaluation (above).`,
    words: ['growth', 'many desktops', 'batches', 'doors', 'crowd', 'delivery', 'requests'],
  },
  {
    heading: 'Painting, steps and start-up',
    intro: 'Single operations inside a process, and programs from start to answer.',
    words: [''],
  },
] as const

/**
 * The page of a run.
 * @param tables All subjects, in the order of the run.
 * @param run The machine of the run.
 * @returns Markdown that begins with its heading.
 */
export function performancePage(tables: readonly BenchTable[], { machine, load, requests }: Run): string {
  const lines = tables.flatMap((table) => table.lines)
  const [met, missed] = [true, false].map((isMet) => lines.filter((line) => line.met === isMet).length)
  let left = tables
  const chapters = CHAPTERS.map(({ heading, intro, words }) => {
    const own = left.filter(({ title }) => words.some((word) => title.includes(word)))
    left = left.filter((table) => !own.includes(table))
    return `## ${heading}\n\n${intro}\n\n${own.map(tableOf).join('\n')}`
  })
  return `# Performance

<!-- Written by npm run bench -- --write. -->

All rows come from one run of \`npm run bench -- --write\`: ${machine}; ${load}; HTTP requests by ${requests}. Times are processor time
unless a row says otherwise, so that another machine changes them and not the ratios. Rates are per second of processor time of all
processes that serve. A target is a limit that the project sets itself; ✗ marks a row that misses it. ${met} of ${met! + missed!} targets are met.

${chapters.join('\n')}`
}

function tableOf({ title, lines }: BenchTable): string {
  const rows = lines.map(({ what, measured, target = '', met }) => {
    const mark = met === undefined ? '' : met ? '✓' : '✗'
    return `| ${cell(what)} | ${cell(measured)} | ${cell(target)} | ${mark} |`
  })
  return `### ${title[0]!.toUpperCase()}${title.slice(1)}\n\n| measured | result | target | |\n|---|---:|---:|---|\n${rows.join('\n')}\n`
}

const cell = (text: string): string => text.trim().replaceAll('|', '\\|')
