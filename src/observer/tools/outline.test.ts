import { describe, expect, it } from 'vitest'
import { openDesktop } from '../../testing.ts'

// Rules such as [OB60] are stated in src/observer/SPEC.md.

const TWO_WINDOWS = `
states:
  a:
    windows:
      - uid: main
        title: Main
        bounds: {x: 0, y: 0, width: 400, height: 300}
        tree: {role: Window, name: Main, children: [{id: ok, role: Button, name: OK}, {id: no, role: Button, name: Cancel, closes: true}]}
      - uid: side
        title: Side
        bounds: {x: 400, y: 0, width: 400, height: 300}
        tree: {role: Window, name: Side, children: [{id: ok, role: Button, name: OK}]}
`

const open = () => openDesktop({ scenario: TWO_WINDOWS })
const outlineOf = async (desk: ReturnType<typeof open>, args: object) =>
  (await desk.call('get_screen_outline', args)).outline

describe('an outline', () => {
  it('[OB60] [OB61] shows a window with refs that its elements keep, or with ids', async () => {
    const desk = open()
    const main = '- window "Main"\n  - button "OK" [ref=e1]\n  - button "Cancel" [ref=e2]'
    expect(await outlineOf(desk, { window_uid: 'main' })).toBe(main)
    expect(await outlineOf(desk, { window_uid: 'side' })).toBe('- window "Side"\n  - button "OK" [ref=e3]')
    expect(await outlineOf(desk, { window_uid: 'main' })).toBe(main)
    expect(await outlineOf(desk, { window_uid: 'side', format: 'ids' })).toBe(
      '- Window "Side" [id=root]\n  - Button "OK" [id=ok]',
    )
    await desk.call('session_reset', {})
    expect(await outlineOf(desk, { window_uid: 'side' })).toBe('- window "Side"\n  - button "OK" [ref=e1]')
  })

  it('[OB60] includes menus that are windows of their own', async () => {
    const desk = openDesktop({ scenario: 'notepad', variant: { personality: 'windows-uia' } })
    await outlineOf(desk, {})
    await desk.call('click_element', { selector: '*[name="File"]' })
    expect((await outlineOf(desk, { window_title: 'notepad' })).includes('menuitem "Save')).toBe(true)
  })

  // outline.long.ts has all of the gallery.
  it.each(['login', 'files', 'shop'])('[OB65] is short: %s', async (scenario) => {
    const desk = openDesktop({ scenario })
    const { outline, window_uid } = await desk.call('get_screen_outline', {})
    const { tree } = await desk.call('observe_window', { window_uid })
    expect(outline.length * 5).toBeLessThan(JSON.stringify(tree).length)
  })
})

describe('a ref', () => {
  it('[OB62] names an element with its window, unless the call names another', async () => {
    const desk = open()
    await outlineOf(desk, { window_uid: 'main' })
    await outlineOf(desk, { window_uid: 'side' })
    const clicked = await desk.call('click_element', { element_id: '@e1' })
    expect(clicked.target).toMatchObject({ window_uid: 'main', element_id: 'ok' })
    const other = await desk.call('hover_element', { element_id: '@e1', window_uid: 'side' })
    expect(other.target).toMatchObject({ window_uid: 'side', element_id: 'ok' })
    const dragged = await desk.call('drag', { from: { element_id: '@e3' }, to: { x: 500, y: 100 } })
    expect(dragged.target).toMatchObject({ window_uid: 'side', element_id: 'ok' })
    const stepped = await desk.call('session_step', {
      action: { tool: 'hover_element', args: { element_id: '@e3' } },
      observe: 'none',
    })
    expect(stepped.info).toMatchObject({ action: { target: { window_uid: 'side', element_id: 'ok' } } })
    expect(
      await desk
        .call('wait_for', { any_of: [{ type: 'element_disappears', element_id: '@e3' }], timeout_ms: 0 })
        .catch(({ code }) => code),
    ).toBe('Timeout')
  })

  it('[OB63] is refused if no outline has given it, or if its element is gone', async () => {
    const desk = open()
    const refusal = (element_id: string) => desk.call('click_element', { element_id }).catch(({ code }) => code)
    expect(await refusal('@e1')).toBe('ElementNotFound')
    await outlineOf(desk, { window_uid: 'main' })
    await desk.call('click_element', { element_id: '@e2' })
    expect(await refusal('@e1')).toBe('WindowGone')
  })

  it('[OB63] is refused on another page of a browser, where an element has the same id', async () => {
    const page = (title: string) =>
      `{title: ${title}, children: [{id: go, role: Button, name: ${title}}, {role: Hyperlink, name: Next, href: /next}]}`
    const scenario = `
sites: {s.test: {pages: {/: ${page('First')}, /next: ${page('Second')}}}}
states: {a: {windows: [{browser: s.test, bounds: {x: 0, y: 0, width: 800, height: 600}}]}}`
    const desk = openDesktop({ scenario })
    const outline = await outlineOf(desk, {})
    const refTo = (name: string, text: string) => new RegExp(`${name}[^\n]*\\[ref=(e\\d+)`).exec(text)![1]!
    const [first, back] = [refTo('button "First"', outline), refTo('"Reload"', outline)]
    const click = (ref: string) =>
      desk.call('click_element', { element_id: `@${ref}` }).then(
        ({ target }) => (target as { element_id: string }).element_id,
        ({ code, message }) => [code, message],
      )
    expect(await click(first)).toBe('go')
    await click(refTo('"Next"', outline))
    expect(await click(first)).toEqual([
      'ElementNotFound',
      `click_element: the ref ${first} is of another page, https://s.test/; call get_screen_outline for the refs of this one`,
    ])
    expect(await click(back)).toBe('browser-reload')
    expect(refTo('button "Second"', await outlineOf(desk, {}))).not.toBe(first)
    await desk.call('press_key', { keys: 'alt+left' })
    expect(await click(first)).toBe('go')
  })

  it('[OB64] is in a trace as it was sent, and a replay has the same', async () => {
    const desk = open()
    await desk.call('trace_start', {})
    await outlineOf(desk, {})
    await desk.call('click_element', { element_id: '@e1' })
    const { path } = await desk.call('trace_stop', {})
    await desk.call('session_reset', {})
    const { replay_id } = await desk.call('replay_start', { path: String(path), mode: 'verify' })
    for (let step = 0; step < 2; step++) await desk.call('replay_step', { replay_id })
    expect(await desk.call('replay_status', { replay_id })).toMatchObject({ divergences: [] })
  })
})
