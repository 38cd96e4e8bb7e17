import { describe, expect, it } from 'vitest'
import { openDesktop } from '../../testing.ts'

// Rules such as [OB257] are stated in src/observer/SPEC.md.

const SHOP = `
states:
  a:
    windows:
      - uid: mock:shop
        title: Shop
        bounds: {x: 0, y: 0, width: 400, height: 400}
        tree:
          role: Window
          name: Shop
          children:
            - {id: pay, role: Button, name: Pay now, presses: enter, keyboard_shortcut: Ctrl+P, bounds: {x: 10, y: 50, width: 80, height: 28}}
            - {id: code, role: Edit, name: Secret code, value: "", bounds: {x: 110, y: 130, width: 80, height: 28}}
            - {id: look, role: Button, name: Look, bounds: {x: 10, y: 90, width: 80, height: 28}}
            - {id: note, role: Edit, name: Note, value: "", bounds: {x: 10, y: 130, width: 80, height: 28}}
            - id: how
              role: ComboBox
              name: How
              value: Card
              bounds: {x: 10, y: 170, width: 100, height: 28}
              children: [{id: card, role: ListItem, name: Card}, {id: all, role: ListItem, name: Pay everything}]
            - id: pick
              role: Button
              name: Pay by picture
              bounds: {x: 10, y: 210, width: 80, height: 28}
              children: [{id: sign, role: Image, name: Coin, bounds: {x: 20, y: 212, width: 24, height: 24}}]
            - id: offer
              role: Group
              name: Pay for two
              bounds: {x: 10, y: 250, width: 80, height: 28}
              children: [{id: price, role: Text, name: Twenty, bounds: {x: 10, y: 250, width: 80, height: 20}}]
            - id: news
              role: Group
              name: Pay news
              bounds: {x: 10, y: 290, width: 80, height: 28}
              children: [{id: line, role: Text, name: A line, bounds: {x: 10, y: 290, width: 80, height: 20}}]
reactions:
  - {on: {tool: click_element, target_id: look}, set: [{id: pay, bounds: {x: 100, y: 50, width: 80, height: 28}}]}
  - {on: {tool: click_element, target_id: offer}, set: [{id: note, value: two}]}
  - {on: {tool: press_key, target_id: note, text_regex: f2}, set: [{id: pay, name: Pay all}]}
  - {on: {tool: press_key, target_id: note, text_regex: f1}, set: [{id: pay, bounds: {x: 20, y: 60, width: 80, height: 28}}]}
`

const RULES = { confirmation_required: [{ name_regex: '(?i)^pay|secret' }] }
const shop = (settings: object = {}) => openDesktop({ scenario: SHOP, config: { ...RULES, ...settings } })
type Desk = ReturnType<typeof openDesktop>

const propose = async (desk: Desk, action: string, args: object): Promise<string> =>
  (await desk.call('propose_action' as string, { action, args })).confirm_token as string
const code = async (desk: Desk, tool: string, args: object) => (await desk.tryCall(tool, args)).error?.code

const WAYS: readonly [string, object][] = [
  ['click_element', { element_id: 'pay' }],
  ['click_element', { selector: 'Button[name~="P.*"]' }],
  ['click_element', { selector: 'Button[index=0]' }],
  ['click_element', { selector: ':has-text("now")' }],
  ['invoke_element', { element_id: 'pay' }],
  ['double_click_element', { element_id: 'pay' }],
  ['hover_element', { element_id: 'pay' }],
  ['click_element_and_observe', { element_id: 'pay' }],
  ['click_at', { x: 50, y: 64 }],
  ['hover_at', { x: 50, y: 64 }],
  ['drag', { from: { x: 50, y: 104 }, to: { x: 50, y: 64 } }],
  ['drag', { from: { element_id: 'pay' }, to: { element_id: 'look' } }],
  ['select_option', { element_id: 'how', option_name: 'Pay everything' }],
  ['press_key', { keys: 'ctrl+p' }],
  ['press_key_and_observe', { keys: 'ctrl+p' }],
  ['key_into_element', { element_id: 'note', keys: 'enter' }],
  ['key_into_element', { element_id: 'pay', keys: 'space' }],
  ['click_at', { x: 32, y: 224 }],
  ['click_element', { element_id: 'sign' }],
  ['click_at', { x: 50, y: 260 }],
  ['click_element', { element_id: 'price' }],
]

const ICONS = `
states:
  a:
    windows:
      - uid: mock:icons
        title: Icons
        bounds: {x: 0, y: 0, width: 400, height: 500}
        tree:
          role: Window
          name: Icons
          children:
            - {id: before, role: Button, name: Before, bounds: {x: 10, y: 40, width: 80, height: 28}}
            - id: outer
              role: Button
              name: ""
              keyboard_shortcut: Ctrl+D
              bounds: {x: 10, y: 80, width: 80, height: 28}
              children: [{role: Group, name: "", bounds: {x: 10, y: 80, width: 10, height: 10}, children: [{id: label, role: Text, name: Delete all, bounds: {x: 10, y: 80, width: 10, height: 10}}]}]
            - id: enter
              role: Button
              name: "\\ue872"
              presses: enter
              bounds: {x: 10, y: 120, width: 80, height: 28}
              children: [{role: Text, name: "", value: Delete, bounds: {x: 10, y: 120, width: 10, height: 10}}, {role: Text, name: everything, bounds: {x: 20, y: 120, width: 10, height: 10}}]
            - id: tip
              role: Button
              name: ""
              bounds: {x: 10, y: 160, width: 80, height: 28}
              children: [{role: ToolTip, name: Delete all}]
            - id: named
              role: Link
              name: Icon
              bounds: {x: 10, y: 200, width: 80, height: 28}
              children: [{role: Text, name: Delete all, bounds: {x: 10, y: 200, width: 10, height: 10}}]
            - id: tick
              role: CheckBox
              name: ""
              selected: false
              description: Delete all
              bounds: {x: 10, y: 240, width: 80, height: 28}
            - id: card
              role: Group
              name: ""
              bounds: {x: 110, y: 80, width: 80, height: 60}
              children: [{role: Text, name: Delete all, bounds: {x: 110, y: 80, width: 20, height: 10}}]
            - id: mails
              role: List
              name: ""
              bounds: {x: 110, y: 160, width: 200, height: 90}
              children:
                - {id: mail, role: ListItem, name: From Bob, bounds: {x: 110, y: 160, width: 200, height: 28}, children: [{role: Text, name: please delete, bounds: {x: 290, y: 160, width: 20, height: 10}}]}
                - {id: row, role: ListItem, name: "", bounds: {x: 110, y: 190, width: 200, height: 28}, children: [{role: Text, name: Delete all, bounds: {x: 290, y: 190, width: 20, height: 10}}]}
            - id: bar
              role: ToolBar
              name: ""
              bounds: {x: 110, y: 260, width: 200, height: 40}
              children: [{role: Button, name: Delete, bounds: {x: 110, y: 260, width: 20, height: 20}}]
            - id: pick
              role: ComboBox
              name: Pick
              value: A
              bounds: {x: 110, y: 310, width: 100, height: 28}
              children: [{role: ListItem, name: A}, {role: ListItem, name: "", children: [{role: Text, name: Delete all}]}]
reactions:
  - {on: {tool: click_element, target_id: card}, set: [{id: before, name: gone}]}
  - {on: {tool: click_element, target_id: before}, set: [{id: label, name: Delete all drives}]}
`

const icons = () =>
  openDesktop({ scenario: ICONS, config: { confirmation_required: [{ name_regex: '(?i)delete (all|every)' }] } })

/** Ways to a control that no rule matches by its own name. */
const ROUND_WAYS: readonly [string, object][] = [
  ['invoke_element', { element_id: 'outer' }],
  ['focus_element', { element_id: 'outer' }],
  ['click_element', { element_id: 'outer' }],
  ['click_at', { x: 80, y: 100 }],
  ['double_click_element', { element_id: 'outer' }],
  ['right_click_element', { element_id: 'outer' }],
  ['hover_element', { element_id: 'outer' }],
  ['key_into_element', { element_id: 'outer', keys: 'space' }],
  ['drag', { from: { x: 80, y: 100 }, to: { x: 80, y: 102 } }],
  ['drag', { from: { element_id: 'before' }, to: { element_id: 'outer' } }],
  ['press_key', { keys: 'ctrl+d' }],
  ['press_key', { keys: 'enter' }],
  ['type_text', { text: '\n' }],
  ['invoke_element', { element_id: 'enter' }],
  ['invoke_element', { element_id: 'tip' }],
  ['invoke_element', { element_id: 'named' }],
  ['click_element', { element_id: 'tick' }],
  ['invoke_element', { element_id: 'card' }],
  ['click_at', { x: 180, y: 130 }],
  ['click_element', { element_id: 'row' }],
  ['key_into_element', { element_id: 'mails', keys: 'end' }],
  ['select_option', { element_id: 'mails', option_index: 1 }],
  ['select_option', { element_id: 'pick', option_index: 1 }],
]

describe('confirmation', () => {
  it.each(WAYS)('[OB257] requires a token before %s %j, and accepts one', async (tool, args) => {
    const desk = shop()
    const { error } = await desk.tryCall(tool, args)
    expect(error).toMatchObject({
      code: 'ConfirmationRequired',
      recoverable: true,
      suggested_next_tool: 'propose_action',
      context: { target: { window_uid: 'mock:shop', bounds: {} } },
    })
    expect(desk.computer.stepCount).toBe(0)
    const confirm_token = await propose(desk, tool, args)
    expect(await desk.call(tool, { ...args, confirm_token })).toMatchObject({ ok: true })
    expect(await code(desk, tool, { ...args, confirm_token })).toBe('ConfirmationInvalid')
  })

  it('[OB257] checks the focused element when keys are pressed or text is typed', async () => {
    const desk = shop()
    await desk.call('focus_element', { element_id: 'note' })
    expect(await code(desk, 'press_key', { keys: 'a' })).toBeUndefined()
    expect(await code(desk, 'press_key', { keys: 'enter' })).toBe('ConfirmationRequired')
    expect(await code(desk, 'type_text', { text: 'please\n' })).toBe('ConfirmationRequired')
    expect(await code(desk, 'type_text', { text: 'please' })).toBeUndefined()
    const confirm_token = await propose(desk, 'press_key', { keys: 'enter' })
    expect(await code(desk, 'press_key', { keys: 'enter', confirm_token })).toBeUndefined()
  })

  it('[OB257] requires a token when the wheel selects an option, not when it only scrolls', async () => {
    const desk = shop()
    const wheel = { x: 50, y: 184, clicks: -1 }
    expect(await code(desk, 'scroll', wheel)).toBeUndefined()
    await desk.call('focus_element', { element_id: 'how' })
    expect(await code(desk, 'scroll', wheel)).toBe('ConfirmationRequired')
    const confirm_token = await propose(desk, 'scroll', wheel)
    expect(await code(desk, 'scroll', { ...wheel, confirm_token })).toBeUndefined()
  })

  it('[OB257] recognises the button under a click on its picture, on a real desktop too', async () => {
    const desk = shop()
    Object.defineProperty(desk.computer, 'preview', { value: () => [] })
    expect(await code(desk, 'click_at', { x: 32, y: 224 })).toBe('ConfirmationRequired')
  })

  it('[OB257] does not apply to ancestors of the element that is hit', async () => {
    expect(await code(shop(), 'click_element', { element_id: 'line' })).toBeUndefined()
  })

  it.each(ROUND_WAYS)(
    '[OB263] requires a token before %s %j, because the contents of the control match',
    async (tool, args) => {
      const desk = icons()
      expect(await code(desk, tool, args)).toBe('ConfirmationRequired')
      expect(desk.computer.stepCount).toBe(0)
      const confirm_token = await propose(desk, tool, args)
      expect(await desk.call(tool, { ...args, confirm_token })).toMatchObject({ ok: true })
    },
  )

  it('[OB263] requires a token when a word is split over several texts', async () => {
    const yaml = ICONS.replace(/name: "?Delete all"?/, 'name: Del}, {role: Text, name: ete all')
    expect(yaml).not.toBe(ICONS)
    const desk = openDesktop({ scenario: yaml, config: { confirmation_required: [{ name_regex: '(?i)delete all' }] } })
    expect(await code(desk, 'invoke_element', { element_id: 'outer' })).toBe('ConfirmationRequired')
  })

  it('[OB263] [OB264] requires a token for keys to a control whose contents match, however it got the focus', async () => {
    const desk = icons()
    await desk.call('focus_element', { element_id: 'before' })
    const confirm_token = await propose(desk, 'press_key', { keys: 'tab' })
    await desk.tryCall('press_key', { keys: 'tab', confirm_token })
    for (const keys of ['space', 'enter']) expect(await code(desk, 'press_key', { keys })).toBe('ConfirmationRequired')
    expect(await code(desk, 'type_text', { text: ' ' })).toBe('ConfirmationRequired')
  })

  it('[OB264] does not apply to named items or to containers of other controls', async () => {
    const desk = icons()
    expect(await code(desk, 'click_element', { element_id: 'mail' })).toBeUndefined()
    expect(await code(desk, 'focus_element', { element_id: 'mails' })).toBeUndefined()
    expect(await code(desk, 'click_element', { element_id: 'bar' })).toBeUndefined()
  })

  it('[OB265] rejects a token when the contents of the control have changed', async () => {
    const desk = icons()
    const confirm_token = await propose(desk, 'invoke_element', { element_id: 'outer' })
    await desk.call('click_element', { element_id: 'before' })
    expect(await code(desk, 'invoke_element', { element_id: 'outer', confirm_token })).toBe('ConfirmationInvalid')
  })

  it('[OB258] accepts a token for one action on one element, and a failed call does not consume it', async () => {
    const desk = shop()
    const confirm_token = await propose(desk, 'click_element', { element_id: 'pay' })
    const failed = await desk.tryCall('invoke_element', { element_id: 'pay', confirm_token })
    expect(failed.error).toMatchObject({
      code: 'ConfirmationInvalid',
      message: 'the token was proposed for click_element, not for invoke_element',
    })
    expect(await code(desk, 'select_option', { element_id: 'how', option_index: 1, confirm_token })).toBe(
      'ConfirmationInvalid',
    )
    expect(await code(desk, 'click_element', { element_id: 'pay', confirm_token: 'ct:guess' })).toBe(
      'ConfirmationInvalid',
    )
    expect(await code(desk, 'click_element', { selector: 'Button "Pay now"', confirm_token })).toBeUndefined()
  })

  it.each([
    ['click_element', { element_id: 'pay' }, 'double_click_element', {}],
    ['right_click_element', { element_id: 'pay' }, 'click_element', {}],
    ['click_at', { x: 50, y: 64 }, 'click_at', { button: 'right' }],
    ['set_value', { element_id: 'code', value: '1' }, 'set_value', { value: '1000' }],
    ['key_into_element', { element_id: 'pay', keys: 'tab' }, 'key_into_element', { keys: 'enter' }],
  ])('[OB258] rejects a token for %s %j when the call is %s with %j', async (action, args, tool, changed) => {
    const desk = shop()
    const confirm_token = await propose(desk, action, args)
    expect(await code(desk, tool, { ...args, ...changed, confirm_token })).toBe('ConfirmationInvalid')
    expect(await code(desk, action, { ...args, confirm_token })).toBeUndefined()
  })

  it('[OB258] rejects a token for an element that has been renamed', async () => {
    const desk = shop()
    const confirm_token = await propose(desk, 'click_element', { element_id: 'pay' })
    await desk.call('key_into_element', { element_id: 'note', keys: 'f2' })
    expect((await desk.tryCall('click_element', { element_id: 'pay', confirm_token })).error).toMatchObject({
      code: 'ConfirmationInvalid',
      message: 'the element has another name than when the token was proposed',
    })
  })

  it('[OB258] rejects tokens from before a reset', async () => {
    const desk = shop()
    const confirm_token = await propose(desk, 'click_element', { element_id: 'pay' })
    await desk.call('session_reset')
    expect(await code(desk, 'click_element', { element_id: 'pay', confirm_token })).toBe('ConfirmationInvalid')
  })

  it('[OB258] [OB134] lets a token expire after the configured time', async () => {
    const desk = shop({ confirmation: { ttl_seconds: 5 } })
    const args = { element_id: 'pay' }
    const confirm_token = await propose(desk, 'click_element', args)
    const proposed = await desk.call('propose_action', { action: 'click_element', args })
    expect(proposed.expires_at).toBe(desk.operatorClock.now() / 1000 + 5)
    desk.operatorClock.advance(5000)
    expect(await code(desk, 'click_element', { ...args, confirm_token })).toBe('ConfirmationInvalid')
  })

  it('[OB258] accepts a token when the element has moved slightly', async () => {
    const args = { element_id: 'pay' }
    const near = shop()
    const first = await propose(near, 'click_element', args)
    await near.call('key_into_element', { element_id: 'note', keys: 'f1' })
    expect(await code(near, 'click_element', { ...args, confirm_token: first })).toBeUndefined()
    const far = shop()
    const second = await propose(far, 'click_element', args)
    await far.call('click_element', { element_id: 'look' })
    expect((await far.tryCall('click_element', { ...args, confirm_token: second })).error).toMatchObject({
      code: 'ConfirmationInvalid',
      message: 'the element has moved by more than 20 px since the token was proposed',
    })
  })

  it.each([
    [{ element_id: 'pay' }],
    [{ selector: 'Button "Pay now"' }],
    [{ from: { element_id: 'pay' } }],
    [{ to: { selector: 'Button "Pay now"' } }],
  ])('[OB260] proposes a drag with one element, %j, as either end', async (args) => {
    for (const ends of [
      { from: { element_id: 'pay' }, to: { element_id: 'look' } },
      { from: { x: 50, y: 104 }, to: { element_id: 'pay' } },
    ]) {
      const desk = shop()
      const confirm_token = await propose(desk, 'drag', args)
      expect(await code(desk, 'drag', { ...ends, confirm_token })).toBeUndefined()
    }
    const desk = shop()
    const confirm_token = await propose(desk, 'drag', args)
    const other = { from: { element_id: 'pick' }, to: { element_id: 'look' }, confirm_token }
    expect(await code(desk, 'drag', other)).toBe('ConfirmationInvalid')
  })

  it('[OB259] shows the target of the action, and does nothing', async () => {
    const desk = shop()
    const answer = await desk.call('propose_action', { action: 'click_at', args: { x: 50, y: 64 } })
    expect(answer).toMatchObject({
      confirm_token: expect.stringMatching(/^ct:[0-9a-f]{16}$/),
      would_target: {
        window_uid: 'mock:shop',
        element_id: 'pay',
        selector: 'Window[name="Shop"]/Button[name="Pay now"]',
        bounds: { x: 10, y: 50, width: 80, height: 28 },
        screenshot_b64: expect.stringMatching(/^iVBOR/),
      },
    })
    expect(desk.computer.stepCount).toBe(0)
  })

  it.each([
    ['no_such_tool', {}, 'BadRequest'],
    ['observe_window', {}, 'BadRequest'],
    ['bring_to_foreground', {}, 'BadRequest'],
    ['click_element', {}, 'BadRequest'],
    ['click_element', { element_id: 'nope' }, 'ElementNotFound'],
    ['click_element', { element_id: 'pay', window_uid: 'nope' }, 'WindowGone'],
    ['click_element', { element_id: 'pay', count: 'two' }, 'BadRequest'],
  ])('[OB259] refuses to propose %s %j', async (action, args, refused) => {
    expect(await code(shop(), 'propose_action', { action, args })).toBe(refused)
  })

  it.each([
    [{ actions: { deny: ['click_element'] } }, 'PermissionDenied'],
    [{ read_only: true }, 'PermissionDenied'],
    [{ budget: { max_actions: 0 } }, 'BudgetExceeded'],
  ])('[OB259] refuses to propose an action that %j refuses', async (settings, refused) => {
    const args = { action: 'click_element', args: { element_id: 'pay' } }
    expect(await code(shop(settings), 'propose_action', args)).toBe(refused)
  })

  it('[OB259] refuses to propose after the operator has stopped it', async () => {
    const desk = shop()
    desk.session.stop()
    const args = { action: 'click_element', args: { element_id: 'pay' } }
    expect(await code(desk, 'propose_action', args)).toBe('PermissionDenied')
  })

  it('[OB262] ignores a token when no rule requires one, and requires none in a dry run', async () => {
    const desk = shop()
    expect(await code(desk, 'click_element', { element_id: 'look', confirm_token: 'ct:any' })).toBeUndefined()
    expect(
      await code(openDesktop({ scenario: SHOP }), 'click_element', { element_id: 'pay', confirm_token: 'ct:any' }),
    ).toBeUndefined()
    expect(await code(shop(), 'click_element', { element_id: 'pay', dry_run: true })).toBeUndefined()
  })

  it('requires a token only when both name and role of a rule match', async () => {
    const asks = async (rule: object) =>
      code(shop({ confirmation_required: [rule] }), 'click_element', { element_id: 'pay' })
    expect(await asks({ role: 'Button', name_regex: 'Pay' })).toBe('ConfirmationRequired')
    expect(await asks({ role: 'Button' })).toBe('ConfirmationRequired')
    expect(await asks({ role: 'Link', name_regex: 'Pay' })).toBeUndefined()
    expect(await asks({})).toBeUndefined()
  })

  it('[OB238] checks redacted text without revealing it', async () => {
    const desk = shop({ redaction: { element_name_patterns: ['Pay'] } })
    for (const [tool, args] of [
      ['click_at', { x: 50, y: 64 }],
      ['click_element', { element_id: 'pay' }],
      ['press_key', { keys: 'ctrl+p' }],
    ] as const) {
      const refused = await desk.tryCall(tool, args)
      expect(refused.error?.code).toBe('ConfirmationRequired')
      const proposed = await desk.call('propose_action', { action: tool, args })
      expect(JSON.stringify([refused, proposed])).not.toContain('Pay')
      await desk.call(tool, { ...args, confirm_token: proposed.confirm_token })
    }
  })
})
