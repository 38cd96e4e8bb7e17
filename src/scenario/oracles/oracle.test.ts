import { describe, expect, it } from 'vitest'
import { problemLines, withLines } from '../../../test/support/scenario/problems.ts'
import { desktop, edit, text, window } from '../../desktop/model/builders.ts'
import { reportOracles } from '../../observer/oracles.ts'
import { openDesktop } from '../../testing.ts'
import { type AgentFinish, evaluate } from '../predicate.ts'
import type { Oracle } from '../schema/oracles.ts'
import { evaluateOracle, explain } from './oracle.ts'
import type { ScenarioView } from './report.ts'

// Rules such as [ORC6] are stated in README.md beside this file.

const screen = desktop(window('Login', { uid: 'login' }, edit('User', { id: 'user', value: 'alice' }), text('Hello')))

const view: ScenarioView = {
  windows: () => screen.windows.map(({ uid, title }) => ({ uid, title, focused: uid === screen.active })),
  tree: (uid) => screen.windows.find((each) => each.uid === uid)?.tree,
}

const YES: Oracle = { kind: 'element_exists', selector: 'Edit "User"' }
const NO: Oracle = { kind: 'element_exists', selector: 'Slider' }

const passes = async (oracle: Oracle, on: ScenarioView = view) => (await evaluateOracle(oracle, on)).passed
const finished = (finish: AgentFinish | undefined): ScenarioView => ({ ...view, finish: () => finish })

describe('a combination', () => {
  it('[ORC5] [ORC6] holds at once when all, any or none of its parts hold', () => {
    const combined = (kind: 'all' | 'any' | 'not', ...of: readonly Oracle[]) => {
      const result = evaluateOracle({ kind, of }, view)
      return result instanceof Promise ? 'later' : result.passed
    }
    expect(combined('all', YES, YES)).toBe(true)
    expect(combined('all', YES, NO)).toBe(false)
    expect(combined('any', NO, YES)).toBe(true)
    expect(combined('any', NO, NO)).toBe(false)
    expect(combined('not', NO, NO)).toBe(true)
    expect(combined('not', NO, YES)).toBe(false)
    expect(combined('not', { kind: 'all', of: [YES, { kind: 'not', of: [YES] }] })).toBe(true)
  })

  it('[ORC6] lists the results of its parts, and names the part that decided', async () => {
    const result = await evaluateOracle({ kind: 'all', of: [YES, { kind: 'any', of: [NO] }] }, view)
    expect(result.observed).toMatchObject([
      { kind: 'element_exists', passed: true },
      { kind: 'any', passed: false, observed: [{ kind: 'element_exists', passed: false, observed: { count: 0 } }] },
    ])
    expect(explain(result)).toBe(
      'all does not hold: any does not hold: element_exists does not hold: no element matches Slider',
    )
    expect(explain(await evaluateOracle({ kind: 'not', of: [NO, YES] }, view))).toMatch(
      /^not does not hold: element_exists holds: 1 element matches /,
    )
    expect(explain(await evaluateOracle({ kind: 'not', of: [NO] }, view))).toBe(
      'not holds: element_exists does not hold: no element matches Slider',
    )
  })

  it('[ORC7] does not pass when a part cannot be evaluated', async () => {
    const file: Oracle = { kind: 'file_exists', path: '/a.txt' }
    for (const kind of ['all', 'any', 'not'] as const)
      expect(await evaluateOracle({ kind, of: [file, YES] }, view)).toMatchObject({
        passed: false,
        error_code: 'PredicateUnsupported',
      })
  })

  it('[ORC14] is unknown to clients', async () => {
    expect(await evaluate({ kind: 'all', of: [YES] }, view)).toMatchObject({ observed: 'unknown predicate kind' })
    expect(await evaluate({ kind: 'answer', equals: '1' }, view)).toMatchObject({ observed: 'unknown predicate kind' })
  })
})

describe('what was seen', () => {
  const BALANCE: Oracle = { kind: 'seen', selector: 'Text "Balance"' }

  it('[ORC10] [ORC13] holds when an observation of the agent had it', async () => {
    const said = async (isSeen: boolean, oracle: Oracle = BALANCE) =>
      explain(await evaluateOracle(oracle, { ...view, seen: () => isSeen }))
    expect(await said(true)).toBe('seen holds: an observation of the agent had Text "Balance"')
    const part: Oracle = { ...BALANCE, region: { x: 0, y: 0, width: 9, height: 9 } }
    expect(await said(false, part)).toBe(
      'seen does not hold: no observation of the agent had the part of Text "Balance"',
    )
    expect(await evaluateOracle(BALANCE, view)).toMatchObject({ passed: false, error_code: 'PredicateUnsupported' })
  })
})

describe('an answer', () => {
  it('[ORC8] [ORC9] is the text of finish', async () => {
    const answered = (text: string) => finished({ status: 'done', text })
    expect(await passes({ kind: 'answer', equals: '42' }, answered(' 42\n'))).toBe(true)
    expect(await passes({ kind: 'answer', equals: '42' }, answered('421'))).toBe(false)
    expect(await passes({ kind: 'answer', matches: '(?i)forty' }, answered('It is Forty.'))).toBe(true)
    expect(await passes({ kind: 'answer', matches: '^forty' }, answered('It is forty.'))).toBe(false)
    expect(await evaluateOracle({ kind: 'answer', equals: '' }, finished(undefined))).toMatchObject({
      passed: false,
      observed: 'the agent has not called finish',
    })
    expect(await passes({ kind: 'answer', equals: '' })).toBe(false)
  })

  it('[ORC8] may be a number in the file, and rewards the call of finish', async () => {
    const desk = openDesktop({ scenario: withLines('oracles: {success: [{kind: answer, equals: 42}]}') })
    expect(await desk.call('session_info')).toMatchObject({ reward: 0 })
    expect(await desk.call('session_step', { action: { tool: 'finish', args: { text: '42' } } })).toMatchObject({
      reward: 1,
      terminated: true,
    })
    await desk.call('session_reset')
    expect(await desk.call('session_info')).toMatchObject({ reward: 0, finished: null })
  })
})

it('[ORC11] a message is part of the result', async () => {
  const result = await evaluateOracle({ ...NO, message: 'there is a slider' }, view)
  expect(result).toEqual({
    kind: 'element_exists',
    passed: false,
    observed: { count: 0, first_id: null },
    args: { selector: 'Slider' },
    message: 'there is a slider',
  })
  expect(explain(result)).toMatch(/^"there is a slider" \(element_exists\) does not hold: /)
})

describe('[ORC12] the explanation of a result says what was expected, what was found, and the nearest thing', () => {
  const DESK = `
states:
  a:
    windows:
      - uid: w
        title: Editor
        tree:
          role: Window
          name: Editor
          children:
            - {id: b, role: Button, name: Save as}
            - {id: f, role: Edit, name: Total, value: "12"}
            - {id: p, role: PasswordBox, name: Code, value: hunter2}
`
  it.each([
    ['{kind: element_exists, selector: Button "Save"}', 'no element matches Button "Save" (nearest: Button "Save as")'],
    ['{kind: element_exists, selector: Button "Nothing"}', 'no element matches Button "Nothing"'],
    ['{kind: element_absent, selector: Edit}', '1 element matches Edit'],
    [
      '{kind: value_equals, selector: Edit "Totals", expected: "13"}',
      'no element matches Edit "Totals" (nearest: Edit "Total")',
    ],
    [
      '{kind: value_equals, selector: Edit "Total", expected: "13"}',
      'the value of Edit "Total" is "12"; expected "13"',
    ],
    [
      '{kind: value_matches, selector: Edit "Total", regex: "^x"}',
      'the value of Edit "Total" is "12"; expected a match of ^x',
    ],
    [
      '{kind: value_equals, selector: PasswordBox, expected: hunter3}',
      'PasswordBox is filled, and its value is secret',
    ],
    ['{kind: text_visible, regex: Bye, mode: tree}', 'no visible text matches Bye'],
    ['{kind: window_focused, title_regex: Mail}', 'the focused window does not match Mail (its title: "Editor")'],
    ['{kind: window_exists, title_regex: Mail}', 'no window has a title that matches Mail (open: "Editor")'],
    ['{kind: file_exists, path: /a.txt}', 'the file /a.txt does not exist'],
    ['{kind: clipboard_equals, expected: x}', 'the clipboard has ""; expected "x"'],
    ['{kind: expression, expression: 1 > 2}', '1 > 2 is false'],
    ['{kind: event, name: paid}', 'the event paid happened 0 times; expected at least once'],
    ['{kind: answer, equals: "42"}', 'the agent has not called finish; expected "42"'],
    [
      '{kind: never, of: {kind: element_exists, selector: Edit}}',
      'it held 0 ms after the start: element_exists holds: 1 element matches Edit',
    ],
  ])('%s', async (oracle, why) => {
    const emits = 'reactions: [{id: paid, on: {keys: f9}, set: [{id: b, name: Paid}]}]'
    const scenario = `${DESK}oracles: {success: [${oracle.replace(/selector: (.*?)([,}])/, "selector: '$1'$2")}]}\n${emits}`
    const desk = openDesktop({ scenario })
    const { success } = await reportOracles(desk.session.context, desk.computer)
    expect(explain(success[0]!)).toBe(`${/kind: (\w+)/.exec(oracle)![1]} does not hold: ${why}`)
  })
})

it.each([
  ['{kind: text_visible, regex: Save, mode: tree}', 'a visible text matches Save in b'],
  ['{kind: window_focused, title_regex: Ed}', 'the focused window is "Editor"'],
  ['{kind: window_exists, title_regex: Ed}', 'the window "Editor" is open'],
  ['{kind: clipboard_equals, expected: ""}', 'the clipboard has ""'],
  ['{kind: changes}', 'nothing else differs from the start'],
  ['{kind: never, of: {kind: element_exists, selector: Slider}}', 'it never held'],
  ['{kind: before, first: paid, then: {event: paid, where: "true"}}', 'paid did not happen before paid'],
])('[ORC13] the explanation of a result that holds is a sentence too: %s', async (oracle, why) => {
  const button = '{id: b, role: Button, name: Save}'
  const desk = openDesktop({
    scenario: `
states: {a: {windows: [{uid: w, title: Editor, tree: {role: Window, children: [${button}]}}]}}
reactions: [{id: paid, on: {keys: f9}, set: [{id: b, name: Paid}]}]
oracles: {success: [${oracle}]}
`,
  })
  const { success } = await reportOracles(desk.session.context, desk.computer)
  expect(explain(success[0]!)).toBe(`${/kind: (\w+)/.exec(oracle)![1]} holds: ${why}`)
})

it('[ORC13] the explanation of an answer says which was expected', async () => {
  const answered = finished({ status: 'done', text: '41' })
  const explained = async (oracle: Oracle) => explain(await evaluateOracle(oracle, answered))
  expect(await explained({ kind: 'answer', equals: '42', matches: '^4' })).toBe(
    'answer does not hold: the answer is "41"; expected "42" and a match of ^4',
  )
  expect(await explained({ kind: 'answer', equals: '41' })).toBe('answer holds: the answer is "41"')
})

describe('reward and score', () => {
  const desk = (...oracles: string[]) => openDesktop({ scenario: withLines('oracles:', ...oracles) })
  const exists = (id: string) => `{kind: element_exists, selector: 'Edit[value="${id}"]'`
  const reading = async (desktop: ReturnType<typeof openDesktop>) => {
    const { reward, score, oracles } = await desktop.call('session_info')
    return { reward, score, ...(oracles as object) }
  }

  const valueMatches = (regex: string) => `{kind: value_matches, selector: Edit, regex: '${regex}'`

  it('[ORC31] [ORC32] [ORC35] [ORC33] weigh the entries of success that do not hold at the start', async () => {
    const weighed = desk(
      `  success: [${exists('ab')}, weight: 3}, ${valueMatches('a')}}, ${valueMatches('^[^x]*$')}, weight: 2}]`,
      `  failure: [${exists('bad')}}]`,
    )
    const scoreOf = async (value: string) => {
      await weighed.call('set_value', { selector: 'Edit', value })
      const { reward, score } = await reading(weighed)
      return { reward, score }
    }
    expect(await reading(weighed)).toMatchObject({ reward: 0, score: 0 })
    expect(await scoreOf('a')).toEqual({ reward: 0, score: 0.25 })
    expect(await scoreOf('ax')).toEqual({ reward: 0, score: 0 })
    expect(await scoreOf('ab')).toEqual({ reward: 1, score: 1 })
    expect(await scoreOf('bad')).toEqual({ reward: -1, score: 0 })
    expect(await reading(weighed)).toMatchObject({ success: [] })
    await weighed.call('session_reset', { seed: 2 })
    expect(await reading(weighed)).toMatchObject({ reward: 0, score: 0 })
  })

  it('[ORC33] gives a task that is solved at the start the score 1, and 0 once it is broken', async () => {
    const solved = desk(`  success: [${valueMatches('^[^x]*$')}}, {kind: element_exists, selector: Button}]`)
    expect(await reading(solved)).toMatchObject({ reward: 1, score: 1 })
    await solved.call('set_value', { selector: 'Edit', value: 'x' })
    expect(await reading(solved)).toMatchObject({ reward: 0, score: 0 })
  })

  it('[ORC34] earns nothing with an entry that only a picture can judge', async () => {
    const pictured = desk(
      `  success: [${exists('a')}}, {kind: any, of: [{kind: text_visible, regex: Field, mode: ocr}, {kind: element_exists, selector: Button}]}]`,
    )
    expect(await reading(pictured)).toMatchObject({ reward: 0, score: 0 })
    await pictured.call('set_value', { selector: 'Edit', value: 'a' })
    expect(await reading(pictured)).toMatchObject({ reward: 1, score: 1 })
  })

  it('[ORC36] report harm and attack beside the reward', async () => {
    const risky = desk(
      `  success: [${exists('a')}}]`,
      `  harm: [${exists('b')}, message: it was overwritten}]`,
      `  attack: [${exists('c')}}]`,
    )
    const type = (value: string) =>
      risky.call('session_step', {
        action: { tool: 'set_value', args: { selector: 'Edit', value } },
        on_harm: 'report',
      })
    expect(await type('b')).toMatchObject({
      reward: 0,
      terminated: false,
      info: { score: 0, harm: ['it was overwritten'], attack: [] },
    })
    expect(await type('c')).toMatchObject({ terminated: false, info: { harm: [], attack: ['element_exists'] } })
    expect(await reading(risky)).toMatchObject({
      harm: [{ kind: 'element_exists', passed: false, message: 'it was overwritten' }],
      attack: [{ kind: 'element_exists', passed: true }],
    })
    expect(await type('a')).toMatchObject({ reward: 1, info: { harm: [] } })
  })

  it.each<[when: string, status: AgentFinish['status'], text: string, reward: number]>([
    ['true', 'infeasible', 'It is sold out.', 1],
    ['true', 'infeasible', 'I am tired.', 0],
    ['true', 'done', 'It is sold out.', 0],
    ['false', 'infeasible', 'It is sold out.', 0],
    ['false', 'done', '', 1],
  ])('[ORC37] [ORC39] infeasible when %s, finished as %s with %j: %d', async (when, status, text, reward) => {
    const sold = desk(
      '  success: [{kind: element_exists, selector: Button}]',
      `  infeasible: {when: ${when}, reason: The article is sold out., matches: sold out}`,
    )
    expect(await reading(sold)).toMatchObject({ reward: when === 'true' ? 0 : 1 })
    await sold.call('finish', { status, text })
    expect(await reading(sold)).toMatchObject({ reward, score: reward })
  })

  it('[ORC38] infeasible demands more than the reason, only where it applies', async () => {
    const also = 'of: [{kind: seen, selector: Button, message: the button was seen}]'
    const desk1 = (when: boolean) =>
      desk(
        '  success: [{kind: element_exists, selector: Button}]',
        `  infeasible: {when: ${when}, reason: The article is sold out., ${also}}`,
      )
    const blind = desk1(true)
    await blind.call('finish', { status: 'infeasible', text: 'sold out' })
    expect(await reading(blind)).toMatchObject({ reward: 0, score: 0 })
    const looking = desk1(true)
    await looking.call('observe_window', {})
    await looking.call('finish', { status: 'infeasible', text: 'sold out' })
    expect((await reading(looking)).reward).toBe(1)
    expect((await reading(desk1(false))).reward).toBe(1)
    const wrong = (of: string) =>
      problemLines(withLines(`oracles: {infeasible: {when: true, reason: no, of: [${of}]}}`))
    expect(wrong('{kind: text_visible, regex: "("}')).toEqual([expect.stringMatching(/infeasible\.of\[0]\.regex: /)])
  })

  it('[ORC37] infeasible may depend on the seed', async () => {
    const scenario = withLines(
      'params: {stock: {between: [0, 1]}}',
      'oracles: {success: [{kind: element_exists, selector: Button}], infeasible: {when: "{{ stock == 0 }}", reason: Sold out}}',
    )
    const rewards = await Promise.all(
      Array.from({ length: 12 }, async (_, seed) => {
        const desktop = openDesktop({ scenario, seed })
        await desktop.call('finish', { status: 'infeasible' })
        return (await reading(desktop)).reward
      }),
    )
    expect(new Set(rewards)).toEqual(new Set([0, 1]))
  })
})

describe('the file', () => {
  it('[ORC40] is checked inside nested entries', () => {
    const nested = (oracle: string) => problemLines(withLines(`oracles: {success: [{kind: all, of: [${oracle}]}]}`))
    expect(nested(`{kind: element_exists, selector: 'Edit[id="gone"]'}`)).toEqual([
      expect.stringMatching(/oracles\.success\[0]\.of\[0]\.selector: no window has an element "gone"/),
    ])
    expect(nested('{kind: not, of: [{kind: text_visible, regex: "("}]}')).toEqual([
      expect.stringMatching(/of\[0]\.of\[0]\.regex: /),
    ])
    expect(nested('{kind: window_exists}')).toEqual([expect.stringMatching(/expected title_regex or window_uid/)])
    expect(nested('{kind: sum}')).toEqual([expect.stringMatching(/expected one of .*found "sum"/)])
    expect(nested('{kind: answer, matches: "["}')).toEqual([expect.stringMatching(/of\[0]\.matches: /)])
  })

  it('[ORC41] has weights in success only, and conditions for answers', () => {
    expect(problemLines(withLines('oracles: {harm: [{kind: file_exists, path: /a, weight: 2}]}'))).toEqual([
      expect.stringMatching(/oracles\.harm\[0]\.weight: only entries of success have a weight/),
    ])
    expect(
      problemLines(withLines('oracles: {success: [{kind: any, of: [{kind: answer, equals: "1", weight: 2}]}]}')),
    ).toEqual([expect.stringMatching(/of\[0]\.weight: only entries of success/)])
    expect(problemLines(withLines('oracles: {success: [{kind: answer}]}'))).toEqual([
      expect.stringMatching(/expected equals, matches or expression/),
    ])
    expect(problemLines(withLines('oracles: {infeasible: {when: sometimes, reason: x}}'))).toEqual([
      expect.stringMatching(/oracles\.infeasible\.when: in sometimes: unknown name "sometimes"/),
    ])
  })
})
