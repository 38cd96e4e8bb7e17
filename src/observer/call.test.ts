import { describe, expect, it } from 'vitest'
import { Fault } from '../base/fault.ts'
import { openDesktop } from '../testing.ts'
import { call } from './call.ts'
import { ALL_TOOLS, findTool, inputSchema } from './registry.ts'
import { readInput } from './tool.ts'

// Rules such as [OB1] are stated in src/observer/SPEC.md.

const APP = `
states:
  a:
    windows:
      - uid: mock:a
        title: "A\\e[31m\\u0007"
        bounds: {x: 0, y: 0, width: 400, height: 300}
        tree:
          role: Window
          name: A
          children:
            - {id: go, role: Button, name: "Go\\e]0;x\\u0007 now\\u009b2J", bounds: {x: 10, y: 50, width: 80, height: 28}}
            - {id: e, role: Edit, name: E, value: "", bounds: {x: 10, y: 90, width: 80, height: 28}}
faults:
  - {on: {tool: get_screenshot}, times: 1, code: Timeout, message: The screen does not answer.}
`

describe('a result', () => {
  it('[OB1] has the envelope and the fields of the tool', async () => {
    const { session } = openDesktop({ scenario: APP })
    expect((await call(session, 'trace_status', {})).body).toEqual({
      ok: true,
      success: true,
      step_id: 1,
      caused_by_step_id: null,
      active_trace_id: null,
      step_count: 0,
      dir: null,
    })
  })

  it('[OB1] explains an error and suggests a remedy', async () => {
    const { session } = openDesktop({ scenario: APP })
    expect((await call(session, 'find_element', { selector: 'Link' })).body).toEqual({
      ok: false,
      success: false,
      step_id: 1,
      caused_by_step_id: null,
      untrusted: true,
      error: {
        code: 'ElementNotFound',
        message: 'no element matches selector "Link"',
        recoverable: true,
        suggested_next_tool: 'find_element',
        context: { selector: 'Link', window_uid: 'mock:a' },
      },
    })
  })

  it('[OB2] [OB3] has a number and the number of the preceding action', async () => {
    const desk = openDesktop({ scenario: APP, config: { actions: { deny: ['scroll'] } } })
    const ids = async (tool: string, args: object = {}) => {
      const { step_id, caused_by_step_id } = await desk.tryCall(tool, args)
      return [step_id, caused_by_step_id]
    }
    expect(await ids('list_windows')).toEqual([1, null])
    expect(await ids('click_element', { element_id: 'go' })).toEqual([2, 2])
    expect(await ids('list_windows')).toEqual([3, 2])
    expect(await ids('click_element', { element_id: 'nope' })).toEqual([4, 4])
    expect(await ids('click_element', { count: 'two' })).toEqual([5, 5])
    expect(await ids('scroll')).toEqual([6, 6])
    expect(await ids('no_such_tool')).toEqual([undefined, undefined])
    const composite = await desk.call('click_element_and_observe', { element_id: 'go' })
    expect([composite.step_id, composite.caused_by_step_id]).toEqual([7, 7])
    expect(composite.observation).toMatchObject({ step_id: 8, caused_by_step_id: 7 })
    expect(await ids('find_element', { selector: 'Link' })).toEqual([9, 7])
  })
})

describe('arguments', () => {
  it('[OB4] are all named when invalid', async () => {
    const { error } = await openDesktop({ scenario: APP }).tryCall('click_element' as string, {
      element_id: 5,
      count: 'two',
      button: 'left',
    })
    expect(error).toMatchObject({
      code: 'BadRequest',
      message: 'element_id: expected a text, not a number; count: expected a number, not a text',
      context: { field: 'element_id' },
      // Another call, with other arguments, can succeed.
      recoverable: true,
    })
  })

  /** The words of the schema library, which do not say what would be right. */
  const FOREIGN = /Invalid (input|option|type|string|discriminator)|Too (small|big)|Unrecognized|received/
  const WRONG = [{}, [], [{}], ['x'], [5], 'x', '', 5, 0.5, -1e12, 1e12, true, { type: 'x' }, [{ type: 5 }]]

  it.each(ALL_TOOLS.map((tool) => [tool.name, tool] as const))('[OB4] of %s are refused in plain words', (_, tool) => {
    const names = Object.keys((inputSchema(tool) as { properties?: object }).properties ?? {})
    const refusals = names.flatMap((name) =>
      WRONG.map((value) => {
        try {
          readInput(tool, { [name]: value })
          return ''
        } catch (refusal) {
          return (refusal as Fault).message
        }
      }),
    )
    expect(refusals.filter((message) => FOREIGN.test(message))).toEqual([])
  })

  it.each([
    [['x'], 'an array'],
    ['x', 'a string'],
    [5, 'a number'],
    [null, 'null'],
  ])('[OB4] must be an object, not %j', async (args, kind) => {
    expect((await openDesktop({ scenario: APP }).tryCall('list_windows' as string, args)).error).toMatchObject({
      code: 'BadRequest',
      message: `list_windows takes its arguments as an object, not as ${kind}`,
    })
  })

  it('[OB4] that are null count as omitted where null is not a value', async () => {
    const desk = openDesktop({ scenario: APP })
    expect(await desk.call('observe_window' as string, { window_uid: null, since: null })).toMatchObject({
      format: 'full',
    })
    expect((await desk.tryCall('find_element' as string, { selector: null })).error).toMatchObject({
      context: { field: 'selector' },
    })
    expect(await desk.call('set_value' as string, { element_id: 'e', value: null, window_uid: null })).toMatchObject({
      ok: true,
    })
  })

  it('[OB4] are ignored when no tool knows them', async () => {
    expect(await openDesktop({ scenario: APP }).call('list_windows' as string, { mood: 'good' })).toMatchObject({
      count: 1,
    })
  })

  it('[OB4] are limited in depth', async () => {
    const deep = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`)
    const desk = openDesktop({ scenario: APP, config: { logging: { audit: true } } })
    await desk.call('trace_start')
    const { error } = await desk.tryCall('assert_state', { predicate: [{ kind: 'x', deep }] })
    expect(error).toMatchObject({ code: 'BadRequest' })
  })
})

describe('a failure', () => {
  it('[OB6] inside the server is reported to the operator, not to the caller', async () => {
    const desk = openDesktop({ scenario: APP })
    const reported: unknown[] = []
    const bug = new TypeError('secret detail')
    Object.assign(desk.session.context, { report: (...all: unknown[]) => reported.push(all) })
    Object.assign(desk.session.computer, {
      tree: () => {
        throw bug
      },
    })
    const { error, ...rest } = await desk.tryCall('observe_window')
    expect(error).toEqual({
      code: 'Internal',
      message: 'a bug on our side',
      recoverable: false,
      suggested_next_tool: null,
      context: {},
    })
    expect(rest).toMatchObject({ ok: false, step_id: 1 })
    expect(reported).toEqual([[bug, 'observe_window']])
  })

  it('[OB9] that the scenario plans is returned like a real one', async () => {
    const desk = openDesktop({ scenario: APP })
    const planned = await desk.tryCall('get_screenshot')
    expect(planned.error).toMatchObject({ code: 'Timeout', message: 'The screen does not answer.' })
    expect((await desk.tryCall('get_screenshot')).ok).toBe(true)
  })
})

describe('program text', () => {
  it('[OB7] is marked, in refusals too', async () => {
    const desk = openDesktop({ scenario: APP })
    expect(await desk.call('observe_window')).toHaveProperty('untrusted', true)
    expect(await desk.tryCall('find_element', { selector: 'Link' })).toHaveProperty('untrusted', true)
    expect(await desk.call('get_monitors')).not.toHaveProperty('untrusted')
  })

  it('[OB7] contains no control characters in any result', async () => {
    const desk = openDesktop({ scenario: APP })
    await desk.call('snapshot')
    const answers = [
      await desk.call('list_windows'),
      await desk.call('observe_window'),
      await desk.call('get_window_structure', { max_nodes: 1 }),
      await desk.call('get_screen_sketch', { structured: true }),
      await desk.call('get_screen_description'),
      await desk.call('find_element', { selector: 'Button' }),
      await desk.call('click_element', { element_id: 'go' }),
      await desk.call('bring_to_foreground'),
      await desk.call('assert_state', {
        predicate: [{ kind: 'window_exists', title_regex: 'A' }, { kind: '\u001b[2J' }],
      }),
      await desk.call('get_visible_areas'),
      await desk.tryCall('find_element', { selector: 'Link "\u001b[2J"' }),
    ]
    for (const answer of answers)
      for (const text of textsOf(answer))
        expect(text).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/)
    expect(answers[5]).toMatchObject({ all_matches: [{ name: 'Go now' }] })
  })
})

const textsOf = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return [...Object.keys(value), ...Object.values(value).flatMap(textsOf)]
}

it('[OB8] performs actions in the order of their calls', async () => {
  const desk = openDesktop({ scenario: APP })
  await desk.call('focus_element', { element_id: 'e' })
  const letters = [...'abcdefghijklmnopqrstuvwxyz']
  await Promise.all(letters.map((text) => desk.call('type_text', { text })))
  expect(await desk.call('get_window_structure', { scope: 'e' })).toMatchObject({ tree: { value: letters.join('') } })
})

it('[OB8] completes each step and reset before the next', async () => {
  const desk = openDesktop({ scenario: APP })
  await desk.call('focus_element', { element_id: 'e' })
  const type = (text: string) => ({ tool: 'type_text', args: { text } })
  const valueIn = ({ observation }: Record<string, unknown>) =>
    (observation as { tree: { children: readonly { value: string }[] } }).tree.children.at(-1)!.value
  const many = Array.from({ length: 100 }, () => type('a'))
  const answers = await Promise.all([
    desk.call('session_step', { actions: many }),
    desk.call('session_step', { action: type('b') }),
    desk.call('session_rewind', { to_step: 2 }),
    desk.call('session_step', { action: type('c') }),
  ])
  expect(answers.map(({ info }) => (info as { step: number } | undefined)?.step)).toEqual([101, 102, undefined, 3])
  expect([0, 1, 3].map((at) => valueIn(answers[at]!))).toEqual(['a'.repeat(100), `${'a'.repeat(100)}b`, 'ac'])
})

it('counts calls by tool, and refusals by code', async () => {
  const { session } = openDesktop({ scenario: APP })
  await call(session, 'list_windows', {})
  await call(session, 'find_element' as string, {})
  await call(session, 'made_up' as string, {})
  expect([...session.callCounts.calls]).toEqual([
    ['list_windows', { ok: 1, failed: 0 }],
    ['find_element', { ok: 0, failed: 1 }],
    ['(unknown)', { ok: 0, failed: 1 }],
  ])
  expect([...session.callCounts.errors]).toEqual([['BadRequest', 2]])
})

describe('the registry', () => {
  it('contains every documented tool once', () => {
    const names: readonly string[] = ALL_TOOLS.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    expect(DOCUMENTED.filter((name) => !names.includes(name))).toEqual([])
  })

  it('[OB10] describes every argument, however deep', () => {
    expect(ALL_TOOLS.flatMap((tool) => undescribed(inputSchema(tool), tool.name))).toEqual([])
    expect(undescribed({ items: { oneOf: [{ properties: { a: { type: 'string' } } }] } }, 'x')).toEqual(['x.a'])
  })

  it('[OB10] lists the predicates and conditions', () => {
    const schemaOf = (name: string) => JSON.stringify(inputSchema(findTool(name)!))
    for (const kind of ['value_equals', 'screenshot_similar', 'clipboard_equals'])
      expect(schemaOf('assert_state')).toContain(`"const":"${kind}"`)
    for (const type of ['text_visible', 'focused_changes']) expect(schemaOf('wait_for')).toContain(`"const":"${type}"`)
  })

  it('names only faults that exist', () => {
    for (const { faults } of ALL_TOOLS) for (const code of faults) expect(new Fault(code).row.message).not.toBe('')
  })
})

type Schema = Readonly<Record<string, unknown>>

/** The arguments below a schema that have no description; a self-explanatory name needs none. */
function undescribed(schema: Schema, path: string): readonly string[] {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>)
  const within = [schema.items, ...['oneOf', 'anyOf'].flatMap((key) => schema[key] ?? [])] as (Schema | undefined)[]
  return [
    ...properties.flatMap(([name, inner]) => [
      ...(inner.description || inner.const ? [] : [`${path}.${name}`]),
      ...undescribed(inner, `${path}.${name}`),
    ]),
    ...within.flatMap((inner) => (inner ? undescribed(inner, path) : [])),
  ]
}

/** The tools of the document, and the two that its MCP listing adds. */
const DOCUMENTED = `list_windows get_capabilities get_monitors find_element get_window_structure get_screenshot
get_visible_areas click_element focus_element set_value invoke_element select_option click_at type_text press_key scroll
bring_to_foreground observe_window snapshot snapshot_get snapshot_diff snapshot_drop wait_for wait_idle
click_element_and_observe type_and_observe press_key_and_observe get_screenshot_cropped get_ocr get_screen_description
trace_start trace_stop trace_status replay_start replay_step replay_status replay_stop load_scenario assert_state
get_budget_status get_redaction_status propose_action hover_at hover_element right_click_at right_click_element
double_click_at double_click_element drag key_into_element clear_text get_screen_sketch get_full_screenshot`.split(
  /\s+/,
)
