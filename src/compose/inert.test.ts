import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type InertResult, lintInert } from './inert.ts'

// Rules such as [XP22] are stated in scenario/explore/README.md. The controls of sound.yaml are those of planted.yaml, with effects.

const planted = 'fixtures/inert/planted.yaml'
const folder = mkdtempSync(join(tmpdir(), 'backlot-inert-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const found = ({ findings }: InertResult) => findings.map(({ element, operations }) => [element, operations?.[0]])

describe('[XP22] [XP26] the planted inert control', () => {
  let result: InertResult
  beforeAll(async () => {
    result = await lintInert(planted, { maxStates: 2 })
  }, 60_000)

  it('[XP23] [XP24] [XP25] [XP27] [XP31] [XP32] of each role is found, and nothing else', () => {
    expect(found(result)).toEqual([
      ['button', 'click'],
      ['link', 'click'],
      ['split-button', 'click'],
      ['toggle', 'click'],
      ['check-box', 'click'],
      ['radio', 'click'],
      ['field', 'type "x"'],
      ['document', 'type "x"'],
      ['slider', 'press right'],
      ['date', 'set to "2027-01-15"'],
      ['expander', 'click'],
      ['tab', 'click'],
      ['card-1', 'drop on Done'],
      ['card-1.open', 'click'],
      ['menu-item', 'click'],
    ])
  })

  it('[XP33] [XP36] has its state, its place and the way to it', () => {
    const [first] = result.findings
    expect({ ...first, screens: 0, text: first!.text.split('\n')[0]!.replace(/any of \d+/, 'any of N') }).toEqual({
      code: 'inert',
      state: 'open',
      window: 'app',
      element: 'button',
      path: 'states.open.windows[0].tree.children[1].children[0]',
      operations: ['click'],
      screens: 0,
      way: 'the start',
      text: `${planted}:25:23: inert: states.open.windows[0].tree.children[1].children[0]: Button "Button" in open changes nothing when you press it (click), on any of N screens that showed it; to see it: the start`,
    })
    expect(result).toMatchObject({ file: planted, ignored: 0, controls: 21, isComplete: false })
  })
})

describe('lintInert', () => {
  it('[XP28] [XP29] [XP30] has no finding where every control has an effect or an excuse', async () => {
    const { findings, controls } = await lintInert('fixtures/inert/sound.yaml', { maxStates: 2 })
    expect({ findings, controls }).toEqual({ findings: [], controls: 29 })
  })

  it('[XP34] accepts what a comment explains, and reports comments that accept nothing', async () => {
    const file = join(folder, 'own.yaml')
    const text = readFileSync('fixtures/explore/idle-control.yaml', 'utf8')
    writeFileSync(file, `# lint-ignore inert help It is a decoy.\n# lint-ignore inert send Why not.\n${text}`)
    const { findings, ignored, isComplete } = await lintInert(file)
    expect({ ignored, isComplete }).toEqual({ ignored: 1, isComplete: true })
    expect(findings).toEqual([
      {
        code: 'unused-ignore',
        text: `${file}:2:1: unused-ignore: nothing here is ignored: inert has no finding about "send"`,
      },
    ])
  })

  it('[XP35] [XP36] reports progress, and stops at its bounds', async () => {
    const lines: string[] = []
    const onProgress = (line: string) => lines.push(line)
    const { isComplete } = await lintInert('fixtures/explore/sound.yaml', { maxStates: 1, onProgress })
    expect({ isComplete, first: lines[0], last: lines.at(-1) }).toEqual({
      isComplete: false,
      first: '1 of 6 screens explored, 6 actions',
      last: 'controls of 6 of 6 screens tried, 2 controls',
    })
    expect(await lintInert('fixtures/explore/sound.yaml', { maxMs: -1 })).toMatchObject({ controls: 0, screens: 0 })
  })

  it('the guide shows what it prints', () => {
    const [, shown = ''] =
      /<!-- lint inert -->\n```text\n([\s\S]*?)\n```/.exec(readFileSync('docs/scenarios.md', 'utf8')) ?? []
    return lintInert('fixtures/explore/idle-control.yaml').then(({ file, findings, controls, screens }) =>
      expect(shown.split('\n')).toEqual([
        ...findings.map(({ text }) => text.split('\n')[0]),
        `${file}: 1 finding (all screens: ${controls} controls on ${screens} screens)`,
      ]),
    )
  })
})
