import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { openDesktop } from '../../testing.ts'

// Rules such as [OB68] and [OB79] are stated in src/observer/SPEC.md.

const DESK = `
monitors: [{bounds: {x: 0, y: 0, width: 1280, height: 800}, scale_factor: 2}]
states:
  a:
    windows:
      - uid: mock:form
        title: Form
        bounds: {x: 0, y: 0, width: 400, height: 400}
        tree:
          role: Window
          name: Form
          children:
            - {id: name, role: Edit, name: Name, value: Ada, bounds: {x: 10, y: 50, width: 100, height: 28}}
            - {id: ok, role: Button, name: OK, bounds: {x: 10, y: 90, width: 80, height: 28}}
            - {id: about, role: Button, name: About, bounds: {x: 10, y: 130, width: 80, height: 28}}
            - id: size
              role: ComboBox
              name: Size
              value: Small
              bounds: {x: 10, y: 170, width: 100, height: 28}
              children: [{id: s, role: ListItem, name: Small}, {id: l, role: ListItem, name: Large}]
            - {id: far, role: Slider, name: Far, value_now: 0, value_min: 0, value_max: 10, bounds: {x: 10, y: 210, width: 100, height: 28}}
      - uid: mock:log
        title: Log
        bounds: {x: 600, y: 0, width: 300, height: 300}
        tree: {role: Window, name: Log, children: [{id: line, role: Text, name: Nothing yet}]}
  b:
    windows:
      - uid: mock:form
        title: Form
        bounds: {x: 0, y: 0, width: 400, height: 400}
        tree: {role: Window, name: Form}
      - uid: mock:about
        title: About Form
        bounds: {x: 100, y: 100, width: 200, height: 100}
        tree: {role: Dialog, name: About Form}
reactions:
  - {on: {tool: click_element, target_id: ok}, set: [{id: line, window: mock:log, name: OK was clicked}]}
  - {on: {tool: click_element, target_id: about}, transition_to: b}
timers:
  - {in: a, after_ms: 10000, set: [{id: ok, name: Too late}]}
`

describe('a receipt', () => {
  it('[OB66] [OB71] reports the target and the effect of the action', async () => {
    const receipt = await openDesktop({ scenario: DESK }).call('click_element', { selector: 'Edit[name="Name"]' })
    expect(receipt).toEqual({
      ok: true,
      success: true,
      step_id: 1,
      caused_by_step_id: 1,
      action: 'click_element',
      dry_run: false,
      target: {
        window_uid: 'mock:form',
        element_id: 'name',
        selector: 'Edit[name="Name"]',
        bounds: { x: 10, y: 50, width: 100, height: 28 },
      },
      before: { tree_hash: expect.stringMatching(/^sha1:/), focused_selector: '' },
      after: { tree_hash: expect.stringMatching(/^sha1:/), focused_selector: 'Window[name="Form"]/Edit[name="Name"]' },
      changed: true,
      new_dialogs: [],
      duration_ms: 50,
      via: 'behaviour',
    })
  })

  it('[OB68] reports no change when no serialised value changed', async () => {
    const desk = openDesktop({ scenario: DESK })
    await desk.call('click_element', { element_id: 'name' })
    expect(await desk.call('press_key', { keys: 'left' })).toMatchObject({ changed: false })
    expect(await desk.call('press_key', { keys: 'x' })).toMatchObject({ changed: true })
  })

  it('[OB68] reports a change in another window', async () => {
    expect(await openDesktop({ scenario: DESK }).call('click_element', { element_id: 'ok' })).toMatchObject({
      changed: true,
      via: 'reaction',
    })
    expect(await openDesktop({ scenario: DESK }).call('click_at', { x: 50, y: 104 })).toMatchObject({
      changed: true,
      scenario_reaction: true,
    })
  })

  const AT_NAME = { x: 50, y: 64 }
  const NAME = { window_uid: 'mock:form', element_id: 'name', bounds: { x: 10, y: 50, width: 100, height: 28 } }
  const state = { tree_hash: expect.stringMatching(/^sha1:/), focused_selector: expect.any(String) }

  it.each([
    ['hover_at', AT_NAME],
    ['drag', { from: AT_NAME, to: { x: 300, y: 300 } }],
    ['drag', { from: { element_id: 'name' }, to: { x: 300, y: 300 } }],
    ['type_and_observe', { text: 'x' }],
    ['press_key_and_observe', { keys: 'end' }],
  ])('[OB67] is full for %s %j', async (tool, args) => {
    const desk = openDesktop({ scenario: DESK })
    await desk.call('focus_element', { element_id: 'name' })
    const receipt = await desk.call(tool, args)
    expect(receipt).toMatchObject({
      target: { ...NAME, selector: expect.stringContaining('Edit') },
      before: state,
      after: state,
      changed: tool === 'type_and_observe',
      new_dialogs: [],
    })
    const found = await desk.call('find_element', { selector: (receipt.target as { selector: string }).selector })
    expect(found).toMatchObject({ element_id: 'name' })
  })

  it('[OB67] has the window as its target where nothing has the keyboard, and none where no window is', async () => {
    const desk = openDesktop({ scenario: DESK })
    expect(await desk.call('press_key_and_observe', { keys: 'f5' })).toMatchObject({
      target: { window_uid: 'mock:form', element_id: 'root' },
      before: state,
    })
    expect(await desk.call('hover_at', { x: 1000, y: 700 })).toMatchObject({
      target: null,
      before: state,
      after: state,
    })
  })

  it('[OB69] lists the windows that opened', async () => {
    const receipt = await openDesktop({ scenario: DESK }).call('click_element', { element_id: 'about' })
    expect(receipt.new_dialogs).toEqual([{ window_uid: 'mock:about', title: 'About Form' }])
  })

  it.each([
    ['click_element', { element_id: 'ok' }],
    ['set_value', { element_id: 'name', value: 'Grace' }],
    ['select_option', { element_id: 'size', option_name: 'Large' }],
    ['clear_text', { element_id: 'name' }],
    ['click_at', { x: 50, y: 104 }],
    ['hover_at', { x: 50, y: 104 }],
    ['drag', { from: { x: 50, y: 104 }, to: { x: 60, y: 104 } }],
    ['press_key', { keys: 'tab' }],
    ['bring_to_foreground', { window_uid: 'mock:log' }],
    ['click_element_and_observe', { element_id: 'ok' }],
  ])('[OB70] does nothing in a dry run of %s', async (tool, args) => {
    const desk = openDesktop({ scenario: DESK, config: { budget: { max_actions: 1 } } })
    const before = desk.computer.run
    expect(await desk.call(tool, { ...args, dry_run: true })).toMatchObject({ dry_run: true, changed: false })
    expect(desk.computer.run).toBe(before)
    expect((await desk.call('get_budget_status')).actions).toMatchObject({ used: 0 })
  })

  it('[OB71] reports the duration of the action', async () => {
    const desk = openDesktop({ scenario: DESK })
    const from = desk.clock.now()
    await desk.call('hover_at', { x: 50, y: 104, hover_ms: 400 })
    await desk.call('drag', { from: { x: 300, y: 300 }, to: { x: 310, y: 300 }, duration_s: 1 })
    expect(desk.clock.now() - from).toBe(450 + 1050)
  })

  it('[OB72] reports a screen that changed by itself, and only such a screen', async () => {
    const desk = openDesktop({ scenario: DESK })
    await desk.call('observe_window')
    const click = () => desk.call('click_element', { element_id: 'name' })
    expect(await click()).not.toHaveProperty('stale_observation')
    expect(await click()).not.toHaveProperty('stale_observation')
    desk.clock.advance(10_000)
    expect(await click()).toHaveProperty('stale_observation', true)
    expect(await click()).not.toHaveProperty('stale_observation')
  })
})

describe('input', () => {
  it('[OB79] uses pixels, or pixels divided by the scale', async () => {
    const desk = openDesktop({ scenario: DESK })
    await desk.call('click_at', { x: 50, y: 64 })
    expect(desk.computer.desktop.pointer).toEqual({ x: 50, y: 64 })
    await desk.call('click_at', { x: 25, y: 32, coordinate_space: 'logical' })
    expect(desk.computer.desktop.pointer).toEqual({ x: 50, y: 64 })
    Object.defineProperty(desk.session.computer, 'info', { value: { ...desk.computer.info, synthetic: false } })
    const message = async (args: object) =>
      (await desk.tryCall('click_at' as string, args)).error as { message?: string }
    expect(await message({ x: 1280, y: 64 })).toMatchObject({
      code: 'BadRequest',
      message: 'x: (1280, 64) is on no monitor; there is 1280x800 at 0,0',
    })
    expect(await message({ x: 1000, y: 64, coordinate_space: 'logical' })).toMatchObject({
      message: 'x: (1000, 64) is on no monitor; there is 640x400 at 0,0',
    })
  })

  it.each([
    ['click_at', { x: 99999, y: -5 }],
    ['right_click_at', { x: -1, y: -1 }],
    ['double_click_at', { x: 1280, y: 64 }],
    ['click_at', { x: 1000, y: 64, coordinate_space: 'logical' }],
    ['hover_at', { x: 5000, y: 5 }],
    ['scroll', { x: -1, y: -1 }],
    ['drag', { from: { x: -5, y: 5 }, to: { x: 5, y: 5 } }],
    ['drag', { from: { element_id: 'ok' }, to: { x: 5, y: 50000 } }],
  ])(
    '[OB81] %s %j outside the monitors of a synthetic desktop has no effect, and the receipt states it',
    async (tool, args) => {
      const desk = openDesktop({ scenario: DESK })
      expect(await desk.call(tool, args)).toMatchObject({
        ok: true,
        changed: false,
        via: 'nothing',
        note: expect.stringContaining('is on no monitor'),
      })
      expect(desk.computer.desktop.pointer).toEqual(openDesktop({ scenario: DESK }).computer.desktop.pointer)
    },
  )

  it.each([
    ['type_text', { text: 'x' }],
    ['type_text', { text: 'toString' }],
    ['type_and_observe', { text: '__proto__' }],
  ])('[OB87] %s %j with the focus on a button has no effect, and the receipt states it', async (tool, args) => {
    const desk = openDesktop({ scenario: DESK })
    await desk.call('focus_element', { element_id: 'ok' })
    expect(await desk.call(tool, args)).toMatchObject({
      ok: true,
      changed: false,
      note: expect.stringContaining('takes no text'),
    })
  })

  it('[OB83] triggers the reactions of the element at the point', async () => {
    const desk = openDesktop({ scenario: DESK })
    expect(await desk.call('click_at', { x: 11, y: 131 })).toMatchObject({ scenario_reaction: true })
    expect(desk.computer.state).toBe('b')
  })

  it('[OB84] goes to the named element', async () => {
    const desk = openDesktop({ scenario: DESK })
    const value = async (id: string) => {
      const { tree } = await desk.call('get_window_structure', { scope: id })
      return tree
    }
    await desk.call('click_element', { element_id: 'far' })
    await desk.call('set_value', { element_id: 'name', value: 'Grace' })
    expect(await value('name')).toMatchObject({ value: 'Grace' })
    await desk.call('set_value', { element_id: 'name', value: ' Hopper', clear_first: false })
    expect(await value('name')).toMatchObject({ value: 'Grace Hopper' })
    await desk.call('clear_text', { element_id: 'name' })
    expect(await value('name')).toMatchObject({ value: '' })
    await desk.call('key_into_element', { element_id: 'name', keys: 'x' })
    expect(await value('name')).toMatchObject({ value: 'x' })
    await desk.call('set_value', { element_id: 'name', value: null })
    expect(await value('name')).toMatchObject({ value: '' })
  })

  it('[OB85] selects by name or position, and reports the number of options', async () => {
    const desk = openDesktop({ scenario: DESK })
    const value = async () =>
      ((await desk.call('get_window_structure', { scope: 'size' })).tree as { value: string }).value
    await desk.call('select_option', { element_id: 'size', option_name: 'Large' })
    expect(await value()).toBe('Large')
    await desk.call('select_option', { element_id: 'size', option_index: 0 })
    expect(await value()).toBe('Small')
    const { error } = await desk.tryCall('select_option', { element_id: 'size', option_name: 'Huge' })
    expect(error).toMatchObject({
      code: 'ElementNotFound',
      message: 'there is no option "Huge"; the options are "Small", "Large"',
    })
    const neither = await desk.tryCall('select_option', { element_id: 'size' })
    expect(neither.error).toMatchObject({ code: 'BadRequest', context: { field: 'option_name' } })
  })

  it('[OB86] drags between points and elements', async () => {
    const desk = openDesktop({ scenario: DESK })
    expect(
      await desk.call('drag', { from: { element_id: 'ok' }, to: { x: 60, y: 224, selector: 'Button' } }),
    ).toMatchObject({
      action: 'drag',
      from: [50, 104],
      to: [60, 224],
      path: [
        [50, 104],
        [55, 164],
        [60, 224],
      ],
      modifiers: [],
      duration_s: 0.5,
    })
    const { error } = await desk.tryCall('drag', { from: {}, to: { x: 60, y: 224 } })
    expect(error).toMatchObject({ code: 'BadRequest', context: { field: 'from' } })
  })

  it('[OB89] adds the mock note when no reaction matches', async () => {
    const desk = openDesktop({ scenario: DESK })
    expect(await desk.call('scroll', {})).toMatchObject({ note: 'Mock adapter — no real OS action performed' })
    expect(await desk.call('click_at', { x: 11, y: 131 })).not.toHaveProperty('note')
  })

  it('[OB21] reports the clicked point on the title bar of the raised window', async () => {
    const desk = openDesktop({ scenario: DESK })
    const { windows } = await desk.call('list_windows')
    const { bounds } = (windows as { window_uid: string; bounds: { x: number; y: number; width: number } }[]).find(
      ({ window_uid }) => window_uid === 'mock:log',
    )!
    const { clicked_x, clicked_y } = (await desk.call('bring_to_foreground', { window_uid: 'mock:log' })) as Record<
      string,
      number
    >
    expect(clicked_y).toBe(bounds.y + 12)
    expect(clicked_x! > bounds.x && clicked_x! < bounds.x + bounds.width).toBe(true)
  })

  it('[OB88] focuses any element that is shown and enabled', async () => {
    const desk = openDesktop({ scenario: readFileSync('scenarios/desktop.yaml', 'utf8') })
    const roles = [
      'Window',
      'MenuBar',
      'MenuItem',
      'Document',
      'ScrollBar',
      'ProgressBar',
      'CheckBox',
      'StatusBar',
      'Text',
    ]
    for (const role of roles) expect(await desk.call('focus_element', { selector: role })).toMatchObject({ ok: true })
    expect(await desk.call('focus_element', { selector: 'MenuItem[name="Edit"]' })).toMatchObject({
      after: { focused_selector: expect.stringContaining('MenuItem[name="Edit"]') },
    })
  })

  it('raises a window', async () => {
    const desk = openDesktop({ scenario: DESK })
    expect(await desk.call('bring_to_foreground', { window_uid: 'mock:log' })).toMatchObject({
      action: 'bring_to_foreground',
      window: 'Log',
      changed: true,
      api_note: expect.stringContaining('nothing was clicked'),
    })
    const { windows } = await desk.call('list_windows')
    expect((windows as { window_uid: string }[])[0]!.window_uid).toBe('mock:log')
  })
})
