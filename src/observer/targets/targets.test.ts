import { describe, expect, it } from 'vitest'
import { openDesktop } from '../../testing.ts'

// Rules such as [OB16] and [OB33] are stated in src/observer/SPEC.md.

const DESK = `
initial_state: a
states:
  a:
    windows:
      - uid: mock:front
        title: Letter
        bounds: {x: 100, y: 100, width: 400, height: 300}
        tree:
          role: Window
          name: Letter
          children:
            - {id: save, role: Button, name: Save, bounds: {x: 120, y: 150, width: 80, height: 28}}
            - {id: send, role: Button, name: Send, enabled: false, bounds: {x: 220, y: 150, width: 80, height: 28}}
            - {id: tiny, role: Text, name: Tiny, bounds: {x: 0, y: 0, width: 0, height: 0}}
            - {id: first, role: Edit, name: Line, value: one, bounds: {x: 120, y: 200, width: 80, height: 28}}
            - {id: second, role: Edit, name: Line, value: two, bounds: {x: 120, y: 240, width: 80, height: 28}}
      - uid: mock:zoo
        title: Zoo
        bounds: {x: 300, y: 200, width: 400, height: 300}
        tree:
          role: Window
          name: Zoo
          children:
            - {id: half, role: Button, name: Half, bounds: {x: 460, y: 250, width: 200, height: 28}}
            - {id: under, role: Button, name: Under, bounds: {x: 310, y: 300, width: 80, height: 28}}
      - uid: mock:apes
        title: apes
        bounds: {x: 110, y: 110, width: 100, height: 100}
        tree: {role: Window, name: apes, children: [{id: ape, role: Button, name: Ape, bounds: {x: 120, y: 150, width: 40, height: 20}}]}
`

const about = (error: unknown) => {
  const { code, message } = error as { code: string; message: string }
  return [code, message]
}

describe('windows', () => {
  it('[OB11] are listed with the focused one first, then by title', async () => {
    const { windows } = await openDesktop({ scenario: DESK }).call('list_windows')
    expect((windows as { index: number; title: string }[]).map(({ index, title }) => [index, title])).toEqual([
      [0, 'Letter'],
      [1, 'apes'],
      [2, 'Zoo'],
    ])
  })

  it('[OB15] are selected by uid, then index, then title, else the focused one', async () => {
    const desk = openDesktop({ scenario: DESK })
    const shown = async (choice: object) => (await desk.call('observe_window', choice)).window_uid
    expect(await shown({ window_uid: 'mock:zoo', window_index: 1, window_title: 'lett' })).toBe('mock:zoo')
    expect(await shown({ window_index: 1, window_title: 'ZOO' })).toBe('mock:apes')
    expect(await shown({ window_title: 'ZOO' })).toBe('mock:zoo')
    expect(await shown({})).toBe('mock:front')
  })

  it('[OB16] reports a closed window instead of selecting another', async () => {
    const desk = openDesktop({ scenario: DESK })
    for (const tool of ['click_element', 'find_element', 'observe_window', 'get_screenshot', 'wait_idle'])
      for (const choice of [{ window_uid: 'nope' }, { window_index: 9 }, { window_title: 'nope' }]) {
        const { error } = await desk.tryCall(tool, { selector: 'Button "Save"', ...choice })
        expect([tool, choice, error?.code]).toEqual([tool, choice, 'WindowGone'])
      }
    expect(desk.computer.stepCount).toBe(0)
  })

  it('[OB16] shows the tree of the focused window for an index out of range, and warns', async () => {
    const answer = await openDesktop({ scenario: DESK }).call('get_window_structure', { window_index: 9 })
    expect(answer.window).toBe('Letter')
    expect(answer.warning).toBe('window_index 9 is out of range: there are 3 windows; the focused window is shown')
  })

  it('[OB17] warns when both uid and index are given', async () => {
    const both = { window_uid: 'mock:front', window_index: 0 }
    const warning = 'both window_index and window_uid given; window_uid used'
    const desk = openDesktop({ scenario: DESK })
    expect((await desk.call('observe_window', both)).warning).toBe(warning)
    expect((await desk.call('click_element', { ...both, element_id: 'save' })).warning).toBe(warning)
  })

  it('[OB18] have logical and physical bounds when the scale is known', async () => {
    const scaled = DESK.replace(
      'initial_state: a',
      'initial_state: a\nmonitors: [{bounds: {x: 0, y: 0, width: 1280, height: 800}, scale_factor: 2}]',
    )
    const { windows } = await openDesktop({ scenario: scaled }).call('list_windows')
    expect((windows as unknown[])[0]).toMatchObject({
      monitor_index: 0,
      scale_factor: 2,
      bounds: { x: 100, y: 100, width: 400, height: 300 },
      logical_bounds: { x: 50, y: 50, width: 200, height: 150 },
      physical_bounds: { x: 100, y: 100, width: 400, height: 300 },
    })
  })

  it('[OB20] report the areas of a window that no window above covers', async () => {
    const { visible_regions } = await openDesktop({ scenario: DESK }).call('get_visible_areas', {
      window_uid: 'mock:zoo',
    })
    expect(visible_regions).toEqual([
      { x: 300, y: 400, width: 400, height: 100 },
      { x: 500, y: 200, width: 200, height: 200 },
    ])
  })
})

describe('elements', () => {
  it('[OB25] are found by selector, else by id, by position, or by an id that is a selector', async () => {
    const desk = openDesktop({ scenario: DESK })
    const target = async (choice: object) =>
      ((await desk.call('click_element', { dry_run: true, ...choice })).target as { element_id: string }).element_id
    expect(await target({ selector: 'Button "Save"', element_id: 'second' })).toBe('save')
    expect(await target({ selector: 'Button "Nope"', element_id: 'second' })).toBe('second')
    expect(await target({ element_id: 'root.4' })).toBe('second')
    expect(await target({ element_id: 'Button "Save"' })).toBe('save')
  })

  it('[OB25] report why the selector fails when all fail, and ask for either when none is given', async () => {
    const desk = openDesktop({ scenario: DESK })
    const both = await desk.tryCall('click_element', { selector: 'Button "Nope"', element_id: 'nope' })
    expect(about(both.error)).toEqual(['ElementNotFound', 'no element matches selector "Button \\"Nope\\""'])
    const id = await desk.tryCall('click_element', { element_id: 'nope' })
    expect(about(id.error)).toEqual(['ElementNotFound', 'no element has the id "nope"'])
    const syntax = await desk.tryCall('click_element', { selector: 'Button[' })
    expect(syntax.error?.code).toBe('BadRequest')
    const neither = await desk.tryCall('click_element', {})
    expect(about(neither.error)).toEqual(['BadRequest', 'name an element by selector or by element_id'])
  })

  it('[OB26] counts all matches and shows ten', async () => {
    const many = Array.from(
      { length: 25 },
      (_, at) => `{id: b${at}, role: Button, name: B, bounds: {x: 0, y: 0, width: 9, height: 9}}`,
    )
    const desk = openDesktop({
      scenario: `states: {a: {windows: [{tree: {role: Window, children: [${many.join(', ')}]}}]}}`,
    })
    const found = await desk.call('find_element', { selector: 'Button "B"' })
    expect(found.ambiguous_matches).toBe(25)
    expect(found.element_id).toBe('b0')
    expect((found.all_matches as { element_id: string }[]).map(({ element_id }) => element_id)).toEqual(
      Array.from({ length: 10 }, (_, at) => `b${at}`),
    )
  })

  it('[OB32] warns in the receipt that several elements match', async () => {
    const receipt = await openDesktop({ scenario: DESK }).call('click_element', { selector: 'Edit "Line"' })
    expect(receipt).toMatchObject({
      target: { element_id: 'first' },
      ambiguous_matches: 2,
      warning: '2 elements match; the first was used',
    })
  })

  it('[OB34] explains how to scroll to an element out of view, also in a list out of view', async () => {
    const items = Array.from({ length: 30 }, (_, at) => `{id: i${at}, role: ListItem, name: Item ${at}}`)
    const fields = Array.from({ length: 12 }, (_, at) => `{role: Edit, name: Field ${at}}`)
    const list = `{role: List, name: Items, height: 100, children: [${items.join(', ')}]}`
    const desk = openDesktop({
      scenario: `states: {a: {windows: [{bounds: {x: 0, y: 0, width: 500, height: 400}, tree: {role: Window, children: [${fields.join(', ')}, ${list}]}}]}}`,
    })
    let calls = 0
    for (;;) {
      const { error } = await desk.tryCall('click_element', { element_id: 'i29' })
      if (!error) break
      expect(error).toMatchObject({ code: 'ElementOccluded', suggested_next_tool: 'scroll' })
      const { context } = error as unknown as { context: { scroll: object } }
      await desk.call('scroll', context.scroll)
      expect(++calls).toBeLessThan(4)
    }
    expect(calls).toBe(2)
    expect(await desk.call('find_element', { selector: '[id="i29"][selected=true]' })).toMatchObject({
      element_id: 'i29',
    })
  })

  it('[OB35] names no notification when a window covers the element too', async () => {
    const desk = openDesktop({
      scenario: [
        'style: macos',
        'states:',
        '  a:',
        '    windows:',
        '      - {uid: front, bounds: {x: 700, y: 30, width: 560, height: 400}, tree: {role: Window, children: [{role: Button, id: tell, name: Tell}]}}',
        '      - {uid: back, bounds: {x: 900, y: 40, width: 340, height: 300}, tree: {role: Window, children: [{role: Button, id: below, name: Below, grow: 1}]}}',
        'reactions:',
        '  - {on: {tool: click_element, target_id: tell}, set: [{toast: Message sent, title: Mail, for_ms: 4000}]}',
      ].join('\n'),
    })
    await desk.call('click_element', { element_id: 'tell' })
    const { error } = await desk.tryCall('click_element', { window_uid: 'back', element_id: 'below' })
    expect(error).toMatchObject({ code: 'WindowOccluded' })
    expect(error).not.toHaveProperty('context.covered_by')
  })

  it('[OB35] names the button of the menu that an element is in, and the notification that covers it', async () => {
    const tools = ['New', 'Open', 'Save', 'Print'].map(
      (name) => `{id: ${name}, role: Button, name: ${name} a document}`,
    )
    const desk = openDesktop({
      scenario: [
        'style: macos',
        'states:',
        '  a:',
        '    windows:',
        '      - uid: main',
        '        bounds: {x: 940, y: 10, width: 320, height: 300}',
        `        tree: {role: Window, children: [{role: Button, id: tell, name: Tell}, {role: ToolBar, id: bar, children: [${tools.join(', ')}]}]}`,
        'reactions:',
        '  - {on: {tool: click_element, target_id: tell}, set: [{toast: Message sent, title: Mail, for_ms: 4000}]}',
      ].join('\n'),
    })
    const fault = async (element_id: string) => {
      const { error } = await desk.tryCall('click_element', { element_id })
      const {
        code,
        message,
        suggested_next_tool: next,
        context,
      } = error as unknown as Record<string, string> & {
        context: Record<string, string>
      }
      return { code, message, next, context }
    }
    const inMenu = await fault('Print')
    expect(inMenu).toMatchObject({
      code: 'ElementOccluded',
      message: 'Button "Print a document" is in the menu of Button "More"; click that first',
      next: 'click_element',
    })
    await desk.call('click_element', { element_id: inMenu.context.opened_by })
    await desk.call('click_element', { element_id: 'Print' })
    await desk.call('click_element', { element_id: 'tell' })
    const below = await fault('tell')
    expect(below).toMatchObject({
      code: 'ElementOccluded',
      message: 'Button "Tell" is covered by the notification "Mail"; close it or wait until it is gone',
      next: 'wait_for',
    })
    await desk.call('wait_for', {
      any_of: [{ type: 'window_disappears', window_uid: String(below.context.covered_by) }],
    })
    await desk.call('click_element', { element_id: 'tell' })
  })

  it.each([
    ['{id: a, role: Dialog, name: Sure?, hidden: true, children: [B]}', 'is in Dialog "Sure?", which is closed', null],
    ['{id: a, role: Pane, name: Late, hidden: true, children: [B]}', 'is in Pane "Late", which is hidden', null],
    ['{id: b, role: Button, name: Yes, hidden: true}', 'is hidden', null],
    [
      '{id: a, role: Expander, name: More, children: [B]}',
      'is in Expander "More", which is closed; click that first',
      'click_element',
    ],
    [
      '{role: Tab, children: [{role: TabItem, name: One, selected: true}, {id: a, role: TabItem, name: Two, children: [B]}]}',
      'is in TabItem "Two", which is closed; click that first',
      'click_element',
    ],
    ['{id: a, role: Menu, name: Actions, children: [B]}', 'is not shown in its window', null],
  ])('[OB36] names what an element out of sight is in: %s', async (written, reason, next) => {
    const element = written.replace('B]', '{id: b, role: Button, name: "Yes"}]')
    const desk = openDesktop({
      scenario: `states: {a: {windows: [{uid: w, title: W, tree: {role: Window, children: [${element}]}}]}}`,
    })
    const { error } = await desk.tryCall('click_element', { element_id: 'b' })
    expect(error).toMatchObject({
      code: 'ElementOccluded',
      message: `Button "Yes" ${reason}`,
      suggested_next_tool: next,
    })
    const { context } = error as unknown as { context: { opened_by?: string } }
    expect(context.opened_by).toBe(next === null ? undefined : 'a')
    if (next === null) return
    await desk.call('click_element', { element_id: context.opened_by })
    await desk.call('click_element', { element_id: 'b' })
  })

  it('[OB37] lets a real desktop scroll to an element out of view, but not to a hidden one', async () => {
    const items = Array.from({ length: 30 }, (_, at) => `{id: i${at}, role: ListItem, name: Item ${at}}`).join(', ')
    const desk = openDesktop({
      scenario: `states: {a: {windows: [{tree: {role: Window, children: [{role: List, height: 100, children: [${items}]}, {id: gone, role: Button, hidden: true}]}}]}}`,
    })
    Object.defineProperty(desk.session.computer, 'info', { value: { ...desk.computer.info, synthetic: false } })
    const click = (element_id: string) => desk.tryCall('click_element', { element_id, dry_run: true })
    expect(await click('i29')).toMatchObject({ dry_run: true })
    expect((await click('gone')).error).toMatchObject({ code: 'ElementOccluded' })
  })

  it('[OB33] refuses elements that are disabled, not shown or covered, in a dry run too', async () => {
    const desk = openDesktop({ scenario: DESK })
    const code = async (choice: object) => {
      const wet = await desk.tryCall('click_element', choice)
      const dry = await desk.tryCall('click_element', { ...choice, dry_run: true })
      expect(dry.error?.code).toBe(wet.error?.code)
      return wet.error?.code
    }
    expect(await code({ element_id: 'send' })).toBe('ElementDisabled')
    expect(await code({ element_id: 'tiny' })).toBe('ElementOccluded')
    expect(await code({ window_uid: 'mock:zoo', element_id: 'under' })).toBe('ElementOccluded')
    expect(await code({ window_uid: 'mock:apes', element_id: 'ape' })).toBe('WindowOccluded')
    expect(desk.computer.stepCount).toBe(0)
  })

  it('[OB38] acts on the visible part', async () => {
    const desk = openDesktop({ scenario: DESK })
    await desk.call('hover_element', { window_uid: 'mock:zoo', element_id: 'half' })
    expect(desk.computer.desktop.pointer).toEqual({ x: 560, y: 264 })
  })

  it('[OB39] refuses an action that the element does not support', async () => {
    const { error } = await openDesktop({ scenario: DESK }).tryCall('set_value', { element_id: 'save', value: 'x' })
    expect(error?.code).toBe('PatternUnsupported')
  })
})

describe('rows out of view', () => {
  const table = (...more: readonly string[]) => `
vars:
  picked: none
  note: ""
  orders:
    - {repeat: 3000, as: n, id: "{{ n }}", name: "Order {{ n }}", total: "{{ n * 2 }}"}
states:
  a:
    windows:
      - uid: mock:orders
        title: Orders
        bounds: {x: 0, y: 0, width: 500, height: 400}
        tree:
          role: Window
          children:
            - {id: picked, role: Text, name: "{{ picked }}", bounds: {x: 10, y: 40, width: 200, height: 24}}
            - id: t
              role: Table
              name: Orders
              bounds: {x: 10, y: 80, width: 480, height: 300}
              rows: orders
              key: id
              columns: [{field: name, editable: true}, {field: total, total: sum}]
${more.map((line) => `              ${line}`).join('\n')}
reactions:
  - {on: {tool: click_element, selector: Row}, set: [{var: picked, to: "{{ event.row.name }}"}]}
`
  const list = `
vars:
  files:
    - {repeat: 400, as: n, name: "File {{ n }}"}
states:
  a:
    windows:
      - uid: mock:files
        title: Files
        bounds: {x: 0, y: 0, width: 500, height: 400}
        tree:
          role: Window
          children:
            - {id: l, role: List, name: Files, bounds: {x: 10, y: 40, width: 300, height: 280}, rows: files, key: name, label: "{{ row.name }}"}
`

  it('[OB27] are found by find_element, which does not scroll', async () => {
    const desk = openDesktop({ scenario: table() })
    const before = (await desk.call('get_window_structure')).tree_hash
    expect(await desk.call('find_element', { selector: 'Row[name*="Order 2500"]' })).toMatchObject({
      element_id: 't.row-2500',
      ambiguous_matches: 1,
      out_of_view: true,
    })
    expect(await desk.call('find_element', { selector: 'Row[name*="Order 3,"]' })).not.toHaveProperty('out_of_view')
    expect((await desk.call('get_window_structure')).tree_hash).toBe(before)
    expect(desk.computer.stepCount).toBe(0)
  })

  it.each([
    ['a row of a table', table(), 'Row[name*="Order 2500"]'],
    ['a row of another page', table('page_size: 50'), 'Row[name*="Order 2500"]'],
    ['a cell', table(), 'Row[name*="Order 2500"] > Cell "name"'],
    ['a row by its id', table(), undefined],
  ])('[OB28] are scrolled into view by actions: %s', async (_, scenario, selector) => {
    const desk = openDesktop({ scenario })
    const receipt = await desk.call('click_element', selector ? { selector } : { element_id: 't.row-2500' })
    expect(receipt).toMatchObject({ changed: true, via: 'reaction' })
    const { tree } = await desk.call('get_window_structure')
    expect(JSON.stringify(tree)).toContain('t.row-2500')
    expect((await desk.call('find_element', { selector: 'Text "Order 2500"' })).element_id).toBe('picked')
    expect((await desk.call('find_element', { selector: 'Row[name*="Order 2500"]' })).out_of_view).toBeUndefined()
  })

  it.each([
    ['by a selector', { selector: 'Group "Order 2500"/Button "Pay"' }],
    ['by the id of a part', { element_id: 'order-2500.pay' }],
  ])('[OB27] [OB28] are found and scrolled into view among items that follow the data: %s', async (_, choice) => {
    const desk = openDesktop({
      scenario: `
vars: {orders: [{repeat: 5000, as: n, id: "{{ n }}", name: "Order {{ n }}", paid: false}]}
states:
  a:
    windows:
      - uid: mock:orders
        tree:
          role: Window
          name: Orders
          children:
            - {role: ScrollArea, name: Orders, children: [{repeat: {of: orders, item_height: 90}, as: order, id: order, role: Group, name: "{{ order.name }}", children: [{id: pay, role: Button, name: Pay}]}]}
reactions: [{on: {tool: click_element, target_id: pay}, set: [{var: event.item.paid, to: true}]}]
`,
    })
    const found = () => desk.call('find_element', { selector: 'Group "Order 2500"/Button "Pay"' })
    expect(await found()).toMatchObject({
      element_id: 'order-2500.pay',
      out_of_view: true,
    })
    expect(await desk.call('click_element', choice)).toMatchObject({ via: 'reaction' })
    expect((desk.computer.run.data.orders as readonly { paid: boolean }[])[2500]!.paid).toBe(true)
    expect(await found()).not.toHaveProperty('out_of_view')
  })

  it('[OB28] are scrolled into view by actions: an item of a list, and a cell that is edited', async () => {
    const files = openDesktop({ scenario: list })
    await files.call('click_element', { selector: 'ListItem "File 399"' })
    const item = await files.call('find_element', { selector: 'ListItem "File 399"[selected=true]' })
    expect(item.out_of_view).toBeUndefined()
    const desk = openDesktop({ scenario: table() })
    await desk.call('set_value', { element_id: 't.row-1234.name', value: 'Changed' })
    expect((desk.computer.run.data.orders as readonly { name: string }[])[1234]!.name).toBe('Changed')
  })

  it('[OB29] are not acted on by a dry run, and not found by position or when no record matches', async () => {
    const desk = openDesktop({ scenario: table() })
    const target = { selector: 'Row[name*="Order 2500"]', dry_run: true }
    expect((await desk.call('click_element', target)).changed).toBe(false)
    expect(desk.computer.stepCount).toBe(0)
    for (const selector of ['Row[name*="Order 9999"]', 'Row[index=70]'])
      expect((await desk.tryCall('click_element', { selector })).error?.code).toBe('ElementNotFound')
  })

  it('[OB29] are covered or disabled as other elements are', async () => {
    const covered = table()
      .replace('reactions:', '')
      .replace(/ {2}- \{on: .*\n/, '')
    const front = `      - uid: mock:front
        title: Front
        bounds: {x: 0, y: 0, width: 500, height: 400}
        tree: {role: Window, children: []}
`
    const desk = openDesktop({ scenario: covered.replace('    windows:\n', `    windows:\n${front}`) })
    const target = { window_uid: 'mock:orders', selector: 'Row[name*="Order 2500"]' }
    expect((await desk.tryCall('click_element', target)).error?.code).toBe('WindowOccluded')
  })
})

describe('what does not exist', () => {
  const SHOP =
    'states: {a: {windows: [{uid: w, title: W, tree: {role: Window, name: W, children: [{id: out, role: Button, name: Check out}, {id: save, role: Button, name: Save as}]}}]}}'
  const message = async (tool: string, args: object) => {
    const { error } = await openDesktop({ scenario: SHOP }).tryCall(tool, args)
    return (error as { message?: string } | undefined)?.message
  }

  it('[OB24] names the nearest element, by name and by id', async () => {
    expect(await message('click_element', { selector: 'Button "Checkout"' })).toBe(
      'no element matches selector "Button \\"Checkout\\""; the nearest: Button "Check out"',
    )
    expect(await message('click_element', { element_id: 'sav' })).toBe(
      'no element has the id "sav"; the nearest: Button "Save as" with the id "save"',
    )
    expect(await message('find_element', { selector: 'Button "Zebra"' })).toBe(
      'no element matches selector "Button \\"Zebra\\""',
    )
  })

  it('[OB24] names the nearest tool, and says that an argument is missing', async () => {
    expect(await message('click_elemnt', {})).toMatch(
      /^there is no tool "click_elemnt"; did you mean "click_element"\?/,
    )
    expect(await message('type_text', {})).toBe('text: is missing; give a text')
    expect(await message('click_at', { x: 1 })).toBe('y: is missing; give a number')
  })
})
