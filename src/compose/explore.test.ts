import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { exploreScenario } from './explore.ts'

// Rules such as [XP7] are stated in scenario/explore/README.md. Each file of the folder is `sound.yaml` with one defect.

const FOLDER = 'fixtures/explore'
const explore = (name: string, limits = {}) => exploreScenario(join(FOLDER, `${name}.yaml`), limits)
const codesIn = async (name: string) => {
  const { findings, isComplete } = await explore(name)
  return { isComplete, codes: findings.map(({ code, path }) => `${code} ${path.join('.')}`) }
}

/** The findings of each file with a planted defect. */
const PLANTED: Readonly<Record<string, readonly string[]>> = {
  'unreachable-state': ['unreachable-state states.archived'],
  'dead-end': ['dead-end states.stuck'],
  'unwinnable-state': ['unwinnable-state states.lost'],
  'ambiguous-reaction': ['ambiguous-reaction reactions.2', 'unused-reaction reactions.2'],
  'duplicate-key': ['duplicate-key states.form.windows.0.tree.children.2'],
  'idle-control': ['idle-control states.form.windows.0.tree.children.2'],
  'unused-reaction': ['unused-reaction reactions.2'],
  'unused-timer': ['unused-timer timers.1'],
  'solved-at-start': ['solved-at-start oracles.success'],
  unsolvable: ['unsolvable oracles.success', 'dead-end states.sent'],
}

describe('[XP7] [XP8] [XP10] [XP11] [XP12] [XP15] [XP16] [XP17] the planted defect', () => {
  it.each(Object.entries(PLANTED))('%s is found', async (name, codes) => {
    expect(await codesIn(name)).toEqual({ isComplete: true, codes })
  })

  it('is in every file but the sound one', () => {
    expect(readdirSync(FOLDER).sort()).toEqual([...Object.keys(PLANTED), 'sound'].map((name) => `${name}.yaml`).sort())
  })
})

const BOARD = `
vars:
  last: ''
  cards: [${Array.from({ length: 9 }, (_, index) => `{id: ${index}, title: Card ${index}}`).join(', ')}]
states:
  board:
    windows:
      - uid: board
        title: Board
        tree:
          role: Window
          name: Board
          children:
            - {id: find, role: Edit, name: Find}
            - {repeat: cards, as: card, id: card, role: Group, name: '{{ card.title }}', children: [{id: open, role: Button, name: 'Open {{ card.id }}'}]}
            - {role: Text, name: 'Last: {{ last }}'}
reactions:
  - {on: {tool: click_element, target_id: open}, set: [{var: last, to: '{{ event.item.title }}'}]}
  - {on: {keys: enter, target_id: find}, set: [{var: last, to: 'found {{ event.value }}'}]}
  - {on: {keys: f5}, set: [{var: last, to: ''}]}
oracles: {success: [{kind: expression, expression: 'last == "Card 4"'}]}
solution: [{call: click_element, with: {element_id: card-4.open}}]
`

const DRAWER = `
vars: {open: false, taken: false, note: ''}
states:
  desk:
    windows:
      - uid: desk
        title: Desk
        tree:
          role: Window
          name: Desk
          children:
            - {id: note, role: Edit, name: Note, bind: note}
            - {id: drawer, role: Button, name: Drawer}
            - {if: open, id: pen, role: Button, name: Pen}
reactions:
  - {on: {tool: click_element, target_id: drawer}, set: [{var: open, to: true}]}
  - {on: {tool: click_element, target_id: pen}, set: [{var: taken, to: true}]}
oracles: {success: [{kind: expression, expression: taken}]}
`

describe('a search of items that follow the data', () => {
  const folder = mkdtempSync(join(tmpdir(), 'backlot-explore-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('[XP4] [XP5] tries the first, the last and the named ones, and keys where they have a meaning', async () => {
    const file = join(folder, 'board.yaml')
    writeFileSync(file, BOARD)
    const result = await exploreScenario(file)
    expect({ findings: result.findings, isComplete: result.isComplete }).toEqual({ findings: [], isComplete: true })
    const pressed = result.mermaid().match(/click Button #quot;Open \d/g) ?? []
    expect([...new Set(pressed)].map((label) => label.at(-1)).sort()).toEqual(['0', '4', '8'])
  })

  it('[XP2] explores a screen with a new control before screens that were found earlier', async () => {
    const file = join(folder, 'drawer.yaml')
    writeFileSync(file, DRAWER)
    const { undecided, isComplete } = await exploreScenario(file, { maxStates: 2 })
    expect({ undecided, isComplete }).toEqual({ undecided: [], isComplete: false })
  })
})

describe('exploreScenario', () => {
  it('[XP19] has no finding in a sound scenario', async () => {
    expect(await codesIn('sound')).toEqual({ isComplete: true, codes: [] })
    expect((await exploreScenario('login')).findings).toEqual([])
  })

  it('[XP9] waits past timers without effect', async () => {
    const { findings, isComplete } = await exploreScenario('installer')
    expect({ findings, isComplete }).toEqual({ findings: [], isComplete: true })
  })

  it('[XP13] accepts conditions that are checked one after another', async () => {
    // explore.long.ts explores more of it.
    const { findings } = await exploreScenario('form', { maxStates: 25 })
    expect(findings.filter(({ code }) => code === 'ambiguous-reaction')).toEqual([])
  })

  it('[XP1] [XP3] [XP6] finds the screens of the solution and around it', async () => {
    const { screens, actions } = await explore('sound')
    expect({ screens, actions }).toEqual({ screens: 8, actions: 29 })
  })

  it('[XP18] decides nothing about screens beyond the bound', async () => {
    const { findings, undecided, isComplete } = await explore('unreachable-state', { maxStates: 1 })
    expect({ findings, isComplete }).toEqual({ findings: [], isComplete: false })
    expect(undecided.map(({ code, path }) => `${code} ${path.join('.')}`)).toEqual([
      'unreachable-state states.archived',
      'unused-timer timers.0',
    ])
    const expired = await explore('dead-end', { isExpired: () => true })
    expect(expired).toMatchObject({ findings: [], isComplete: false })
  })

  it('[XP20] draws the states and the actions between them', async () => {
    const result = await explore('unreachable-state')
    expect(result.mermaid().split('\n').slice(0, 8)).toEqual([
      'flowchart LR',
      '  n0["form (6 screens)"]:::start',
      '  n1["sending (1 screen)"]:::open',
      '  n2["sent (1 screen)"]:::solved',
      '  n3["archived (0 screens)"]:::unreached',
      expect.stringMatching(/^ {2}n0 -->\|"click send, click Button #quot;Send#quot;"\| n1$/),
      expect.stringMatching(/^ {2}n1 -->\|"wait.*"\| n2$/),
      '  classDef start stroke-width:3px',
    ])
    expect(result.svg()).toMatch(
      /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"[\s\S]*archived \(0 screens\)[\s\S]*<\/svg>\n$/,
    )
  })

  it('[XP21] reports lines and progress', async () => {
    const seen: number[] = []
    const { findings } = await explore('idle-control', {
      onProgress: ({ explored }: { explored: number }) => seen.push(explored),
    })
    expect(findings[0]?.text.split('\n')[0]).toBe(
      'fixtures/explore/idle-control.yaml:15:15: idle-control: states.form.windows[0].tree.children[2]: Button "Help" changes nothing on any screen',
    )
    expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  })
})
