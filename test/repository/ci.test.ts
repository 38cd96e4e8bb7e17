import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { longSuites } from '../../.ci/long-suites.ts'
import { type FileTime, repeatCommand } from '../../.ci/reporter.ts'
import { parseShare, shareOf } from '../../.ci/share.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const load = (name: string) => import(/* @vite-ignore */ join(ROOT, '.ci', name))

const {
  STAGES,
  shareOfCommit,
  summaryOf,
}: {
  STAGES: readonly {
    readonly name: string
    readonly command: string
    readonly isBeside?: true
    readonly after?: string
  }[]
  shareOfCommit(commit: { place?: number; hash: string }): string
  summaryOf(stages: readonly object[], files: readonly FileTime[], totalSeconds: number): string
} = await load('stages.mjs')

interface Suite {
  readonly paths: readonly string[]
  readonly mentions?: RegExp
}
const {
  SUITES,
  coveredFiles,
  hashOf,
}: {
  SUITES: Readonly<Record<string, Suite>>
  coveredFiles(suite: Suite, root?: string): readonly string[]
  hashOf(files: readonly string[], root?: string): string
} = await load('covered.mjs')

describe('a share of cases', () => {
  const cases = Array.from({ length: 11 }, (_, index) => index)
  const sharesOf = (places: readonly number[]) =>
    places.map((place) => parseShare(shareOfCommit({ place, hash: 'c0ffee00' })))

  it.each([0, 1, 2, 3, 1336])(
    'is another one in each of four commits in a row, from the one with %i before it',
    (first) => {
      const shares = sharesOf([first, first + 1, first + 2, first + 3])
      expect(shares.flatMap((share) => shareOf(cases, 0, share)).toSorted((a, b) => a - b)).toEqual(cases)
    },
  )

  it('has all pairs of nested lists once in four', () => {
    const pairs = sharesOf([0, 1, 2, 3]).flatMap((share) =>
      cases.flatMap((outer) => shareOf(['a', 'b', 'c'], outer, share).map((inner) => `${outer}${inner}`)),
    )
    expect(pairs.toSorted()).toEqual(
      cases.flatMap((outer) => ['a', 'b', 'c'].map((inner) => `${outer}${inner}`)).toSorted(),
    )
  })

  it('has each long suite that does not divide its cases once in four, and the others always', () => {
    const longest = ['src/evaluation/audit/audit.long.ts', 'src/dataset/dataset.long.ts']
    const all = longSuites(longest, { part: 1, of: 1 })
    const shares = [1, 2, 3, 4].map((part) => longSuites(longest, { part, of: 4 }))
    expect([...new Set(shares.flat())].toSorted()).toEqual(all.toSorted())
    const countOf = (file: string) => shares.filter((share) => share.includes(file)).length
    expect(longest.map(countOf)).toEqual([4, 1])
    expect(new Set(all.map(countOf))).toEqual(new Set([1, 4]))
  })

  it('follows from the hash where the place of a commit is not known', () => {
    expect(['c0ffee00', 'c0ffee01', '00000006'].map((hash) => shareOfCommit({ hash }))).toEqual(['1/4', '2/4', '3/4'])
  })

  it('is everything without a choice', () => {
    expect([parseShare(undefined), parseShare(''), parseShare('1/1')]).toEqual(Array(3).fill({ part: 1, of: 1 }))
  })

  it.each(['0/4', '5/4', '2', '2/', '1.5/4', '2/4 '])('is refused as %s', (text) => {
    expect(() => parseShare(text)).toThrow(`BACKLOT_TEST_SHARE is "${text}"; it takes a part of a whole, such as 2/4`)
  })
})

describe('a stage', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }

  it.each(STAGES)('$name runs what there is', ({ command }) => {
    const named = [...command.matchAll(/npm run (?:--silent )?([\w:]+)/g)].map(([, script]) => script!)
    const files = command.match(/\.ci\/[\w.-]+/g) ?? []
    expect(named.filter((script) => !(script in scripts))).toEqual([])
    expect(files.filter((file) => file !== '.ci/passed.json' && !existsSync(join(ROOT, file)))).toEqual([])
  })

  it('waits only for one that has begun beside the others, once', () => {
    const waitedFor = STAGES.flatMap(({ after }, place) => (after === undefined ? [] : [{ after, place }]))
    const begun = waitedFor.map(({ after, place }) =>
      STAGES.slice(0, place).some(({ name, isBeside }) => name === after && isBeside),
    )
    expect(begun).toEqual(waitedFor.map(() => true))
    expect(waitedFor.map(({ after }) => after).toSorted()).toEqual(
      STAGES.flatMap(({ name, isBeside }) => (isBeside ? [name] : [])).toSorted(),
    )
  })

  const folder = mkdtempSync(join(tmpdir(), 'backlot-stages-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const programOf = (stages: readonly object[]) => {
    const program = `import { runStages } from '${join(ROOT, '.ci/stages.mjs')}'
      process.exitCode = await runStages(${JSON.stringify(stages)})`
    return ['--input-type=module', '-e', program]
  }
  const runStages = (stages: readonly object[]) => {
    const { status, stdout } = spawnSync(process.execPath, programOf(stages), { cwd: ROOT, encoding: 'utf8' })
    return {
      status,
      stages: stdout
        .match(/^ +[\d.]+ {2}.+/gm)
        ?.map((row) => row.replace(/^ +[\d.]+ +/, ''))
        .toSorted(),
      stdout,
    }
  }

  it('runs beside those that follow, and ends the run when it fails', () => {
    const pipe = join(folder, 'pipe')
    execFileSync('mkfifo', [pipe])
    const others = [
      { name: 'download', command: 'exit 3', isBeside: true, mayFail: true },
      // Each end of a pipe waits for the other.
      { name: 'reader', command: `cat ${pipe}; exit 4`, isBeside: true },
      { name: 'writer', command: `echo read beside > ${pipe}`, after: 'download' },
    ]
    const failed = runStages([...others, { name: 'last', command: 'echo never', after: 'reader' }])
    expect(failed).toEqual({
      ...{
        status: 4,
        stdout: expect.stringMatching(
          /--- reader, beside others\nread beside\n(?:.*\n)*reader failed with exit code 4;/,
        ),
      },
      stages: [
        'download (beside others; failed)',
        'in all',
        'reader (beside others; failed)',
        'waiting for download',
        'waiting for reader',
        'writer',
      ],
    })
  })

  it('ends those beside it when it fails', () => {
    const pipe = join(folder, 'never-written')
    execFileSync('mkfifo', [pipe])
    const { status, stages } = runStages([
      { name: 'endless', command: `cat ${pipe}`, isBeside: true },
      { name: 'failing', command: 'exit 5' },
    ])
    expect({ status, stages }).toEqual({ status: 5, stages: ['failing (failed)', 'in all'] })
  })

  it('ends with all its processes when the run is ended', async () => {
    const pipe = join(folder, 'waited-for')
    execFileSync('mkfifo', [pipe])
    // The output ends with the last process that holds it.
    const stages = [{ name: 'endless', command: `(echo started; cat ${pipe}; true); true` }]
    const run = spawn(process.execPath, programOf(stages), { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] })
    let text = ''
    run.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
      if (chunk.includes('started')) run.kill()
    })
    await once(run.stdout, 'end')
    expect(text).toContain('endless (ended by SIGTERM)')
  })
})

it('npm start ends its server when the shell that npm stops ends', async () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  expect(scripts.start).toMatch(/^node \.ci\/with-parent\.mjs --import tsx src\/cli\/main\.ts serve /)
  const server = `process.on('SIGTERM', () => process.exit(console.log('ended'))); setInterval(() => {}, 1000); console.log('started')`
  const command = `${process.execPath} .ci/with-parent.mjs -e "${server}"; true`
  const shell = spawn('sh', ['-c', command], { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  shell.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
    if (chunk.includes('started')) shell.kill()
  })
  await once(shell.stdout, 'end')
  expect(text).toBe('started\nended\n')
})

it('a failure is repeated by a command for the shell', () => {
  expect(repeatCommand('vitest.long.config.ts', 'src/a.long.ts', "that isn't [X1] (b)", '2/4')).toBe(
    `BACKLOT_TEST_SHARE=2/4 npx vitest run --config vitest.long.config.ts src/a.long.ts -t '^that isn'\\''t \\[X1\\] \\(b\\)$'`,
  )
  expect(repeatCommand('vitest.config.ts', 'src/a.test.ts', 'b', '')).toBe(`npx vitest run src/a.test.ts -t '^b$'`)
})

it('the summary has the seconds of the stages, their sum, and the ten slowest files', () => {
  const files = Array.from({ length: 12 }, (_, index) => ({
    ...{ file: `src/${index}.test.ts`, seconds: index / 2, passed: 3, failed: 0, skipped: 1 },
  }))
  const stages = [
    { name: 'test', seconds: 80.04 },
    { name: 'check', seconds: 5, note: '(failed)' },
  ]
  expect(summaryOf(stages, files, 86).split('\n')).toEqual([
    '  seconds  stage',
    '     80.0  test',
    '      5.0  check (failed)',
    '     86.0  in all',
    '',
    '  seconds  slowest test files',
    ...[11, 10, 9, 8, 7, 6, 5, 4, 3, 2].map((index) => `${(index / 2).toFixed(1).padStart(9)}  src/${index}.test.ts`),
    '',
    '12 test files: 36 tests passed, 0 failed, 12 skipped',
  ])
})

describe('the files that a suite for another system covers', () => {
  const folder = mkdtempSync(join(tmpdir(), 'backlot-covered-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
  const hash = (suite: Suite) => hashOf(coveredFiles(suite, folder), folder)

  it('have a hash that follows from their names and contents, committed or not', () => {
    execFileSync('git', ['init', '--quiet'], { cwd: folder })
    for (const name of ['src', 'lib']) mkdirSync(join(folder, name))
    write('lib/a.ts', 'a')
    write('src/b.ts', `process.platform`)
    write('src/c.ts', 'c')
    const suite = { paths: ['lib'], mentions: /process\.platform/ }
    const before = hash(suite)
    expect(coveredFiles(suite, folder)).toEqual(['lib/a.ts', 'src/b.ts'])
    execFileSync('git', ['add', '.'], { cwd: folder })
    write('src/c.ts', 'other')
    expect(hash(suite)).toBe(before)
    write('src/b.ts', `process.platform + 1`)
    const changed = hash(suite)
    write('lib/new.ts', '')
    expect(new Set([before, changed, hash(suite)]).size).toBe(3)
  })

  it.each(Object.entries(SUITES))('are there: %s', (_, { paths }) => {
    for (const path of paths.filter((each) => !each.startsWith(':!')))
      expect([path, coveredFiles({ paths: [path] }).length > 0]).toEqual([path, true])
  })
})
