import { describe, expect, it } from 'vitest'
import { form, place, realDesktop, testElement } from '../../../test/support/observer/real-desktop.ts'
import { Fault } from '../../base/fault.ts'
import { fromPixels } from '../../paint/picture.ts'
import { liveScreen } from '../inspection/live-screen.ts'
import { screenView } from '../screen/screen-trees.ts'

// Rules such as [OB73] are stated in src/observer/SPEC.md.

const never = new Promise<never>(() => {})

describe('a program that does not respond', () => {
  const silent = () => Promise.reject(new Fault('Timeout', 'the application has not answered'))
  const silentBeside = (other: () => Promise<never>) => ({
    tree: (uid: string) => (uid === 'form' ? form : other()),
  })

  it('[OB73] delays an action on another program by 150 ms at most', async () => {
    const { ask, clock, given } = realDesktop({ tree: (uid) => (uid === 'form' ? form : never) })
    const clicking = ask('click_element', { window_uid: 'form', selector: 'Button "OK"' })
    await clock.advance(149)
    expect(given).toHaveLength(0)
    await clock.advance(1)
    expect(given).toHaveLength(1)
    await clock.advance(2000)
    const { body } = await clicking
    expect(body).toMatchObject({ ok: true, changed: false, before: { tree_hash: expect.stringContaining('sha1:') } })
    expect(body).not.toHaveProperty('before_unavailable')
  })

  it('[OB74] leaves the state of its own window unknown, and performs the action', async () => {
    const { ask, given } = realDesktop({ tree: silent })
    const { body } = await ask('click_at', { x: 250, y: 50 })
    expect(body).toMatchObject({ ok: true, changed: false, before_unavailable: true, after_unavailable: true })
    expect(given).toHaveLength(1)
  })

  it('[OB74] counts as changed when its tree was available only before the action', async () => {
    let done = false
    const tree = () => (done ? Promise.reject(new Fault('Timeout', 'the application has not answered')) : form)
    const perform = () => {
      done = true
      return { via: 'pointer' as const }
    }
    const { body } = await realDesktop({ tree, perform }).ask('click_at', { x: 250, y: 50 })
    expect(body).toMatchObject({ changed: true, after_unavailable: true })
    expect(body).not.toHaveProperty('before_unavailable')
  })

  it('[OB237] is hidden completely when patterns hide parts of windows', async () => {
    const white = () => fromPixels(400, 100, new Uint8Array(400 * 100 * 4).fill(255))
    const tree = (uid: string) => (uid === 'form' ? form : Promise.reject(new Fault('Timeout', 'it is silent')))
    const redaction = { element_name_patterns: ['Salary'], blur_screenshots: true }
    const { session } = realDesktop({ tree, screenshot: white }, { redaction })
    const pixels = (await session.computer.screenshot({ screen: true })).pixels()
    const redAt = (x: number) => pixels[(50 * 400 + x) * 4]
    expect([redAt(50), redAt(250)]).toEqual([255, expect.not.toBeOneOf([255])])
  })

  it('[OB129] does not delay a wait for a condition in another window', async () => {
    const { ask } = realDesktop({ tree: (uid) => (uid === 'form' ? form : never) })
    const any_of = [{ type: 'element_appears', selector: 'Button "OK"' }]
    expect((await ask('wait_for', { window_uid: 'form', any_of })).body).toMatchObject({ ok: true, polls: 1 })
  })

  it.each([
    ['fails', silent],
    ['is late', () => never],
  ])('[OB145] that %s leaves its window in a snapshot without a tree, and the others complete', async (_, other) => {
    const { ask, clock } = realDesktop(silentBeside(other))
    const taking = ask('snapshot', {})
    await clock.advance(5000)
    const { body } = await taking
    expect(body).toMatchObject({ ok: true, summary: { windows: 2, trees: 1 }, trees_unavailable: ['front'] })
    const { body: read } = await ask('snapshot_get', { snapshot_id: body.snapshot_id })
    expect(read).toMatchObject({ trees: { form: { name: 'Form' } }, trees_unavailable: ['front'] })
    expect((read.windows as { window_uid: string }[]).map(({ window_uid }) => window_uid)).toEqual(['front', 'form'])
    const { body: difference } = await ask('snapshot_diff', { a: body.snapshot_id, b: body.snapshot_id })
    expect(difference).toMatchObject({ per_window_changes: { form: { changes: [] } }, trees_unavailable: ['front'] })
  })

  it('[OB145] is not mentioned in a snapshot when all programs respond', async () => {
    const { ask } = realDesktop()
    const { body } = await ask('snapshot', {})
    expect(body).not.toHaveProperty('trees_unavailable')
    expect(body).toMatchObject({ summary: { windows: 2, trees: 1 } })
  })

  it('[OB145] leaves its window without a tree in a view of the screen', async () => {
    const { session, clock } = realDesktop(silentBeside(() => never))
    const viewing = screenView(session)
    await clock.advance(2000)
    expect((await viewing).windows).toEqual([
      { bounds: expect.objectContaining({ x: 200 }), tree: undefined },
      { bounds: expect.objectContaining({ x: 0 }), tree: form },
    ])
  })

  it('[OB146] appears in the inspector with the picture of the screen and a note that it does not respond', async () => {
    const { session } = realDesktop({ tree: silent })
    const { windows, picture } = await liveScreen(session, {})
    expect(windows![0]).toMatchObject({ uid: 'front', unavailable: true })
    expect(windows![0]).not.toHaveProperty('tree')
    expect(picture).toMatchObject({ data: expect.any(String) })
  })

  it('[OB131] satisfies no condition until it responds', async () => {
    let answers = false
    const { ask, clock } = realDesktop({ tree: () => (answers ? form : silent()) })
    const any_of = [
      { type: 'element_disappears', selector: 'Button "OK"' },
      { type: 'focused_changes' },
      { type: 'element_appears', selector: 'Button "OK"' },
    ]
    const waiting = ask('wait_for', { window_uid: 'form', any_of, poll_ms: 100 })
    await clock.advance(100)
    answers = true
    await clock.advance(100)
    expect((await waiting).body).toMatchObject({ ok: true, matched_index: 2, matched_detail: { element_id: 'ok' } })
  })

  it.each([
    ['wait_for', { any_of: [{ type: 'text_visible', regex: 'OK' }] }],
    ['wait_idle', { quiet_ms: 0 }],
  ])('[OB131] ends a %s at its timeout, and the result states the cause', async (tool, args) => {
    const { ask, clock } = realDesktop({ tree: silent })
    const waiting = ask(tool, { ...args, timeout_ms: 300, poll_ms: 100 })
    for (let polls = 0; polls < 4; polls++) await clock.advance(100)
    const { body, fault } = await waiting
    expect(fault).toMatchObject({ code: 'Timeout', message: expect.stringContaining('does not respond') })
    expect(body).toMatchObject({ elapsed_ms: 300 })
  })

  it('[OB78] does not lose the receipt of a composite', async () => {
    const { ask, clock, given } = realDesktop({ tree: silent })
    const pressing = ask('press_key_and_observe', { keys: 'a' })
    for (let waits = 0; waits < 4; waits++) await clock.advance(200)
    const { body } = await pressing
    expect(body).toMatchObject({ ok: true, observation_unavailable: 'the application has not answered' })
    expect(body).not.toHaveProperty('observation')
    expect(given).toHaveLength(1)
  })

  it('[OB73] does not hide internal errors', async () => {
    const { ask } = realDesktop({ tree: () => Promise.reject(new Error('a bug')) })
    expect((await ask('click_at', { x: 250, y: 50 })).fault?.code).toBe('Internal')
  })
})

it('[OB80] is refused with a specific message by a desktop without monitors', async () => {
  const refuse = () => Promise.reject(new Fault('PlatformUnsupported', 'Wayland takes no pointer from us'))
  const { ask } = realDesktop({ monitors: () => [], perform: refuse })
  const drag = await ask('drag', { from: { x: 1, y: 1 }, to: { x: 9, y: 9 } })
  expect(drag.fault).toMatchObject({ code: 'PlatformUnsupported', message: 'Wayland takes no pointer from us' })
})

describe('a window without a tree', () => {
  /** A picture whose pixels in a box differ from those of the one before. */
  const pictures = (width: number, height: number) => {
    let shots = 0
    return () => {
      const pixels = new Uint8Array(100 * 100 * 4)
      if (shots++ > 0) for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) pixels[(y * 100 + x) * 4] = 255
      return fromPixels(100, 100, pixels)
    }
  }

  it.each([
    ['[OB75] has changed when its pixels have', 8, 12, true],
    ['[OB75] has not changed when nothing but a caret blinks', 2, 18, false],
    ['[OB75] has not changed when its pixels have not', 0, 0, false],
  ])('%s', async (_, width, height, changed) => {
    const { body } = await realDesktop({ screenshot: pictures(width, height) }).ask('type_text', { text: 'a' })
    expect(body).toMatchObject({ changed })
  })

  it('[OB75] counts a change of a field whose content is never in the tree', async () => {
    const secret = testElement({ id: 'p', role: 'PasswordEdit', bounds: place, traits: { secret: true } })
    const tree = () => testElement({ children: [secret] })
    const areas: unknown[] = []
    const shot = pictures(8, 8)
    const { ask } = realDesktop({
      tree,
      screenshot: (of) => {
        areas.push(of)
        return shot()
      },
    })
    expect((await ask('type_text', { text: 'a' })).body).toMatchObject({ changed: true })
    expect(areas).toEqual([{ area: place }, { area: place }])
  })

  it('[OB132] is idle once its picture stays the same', async () => {
    let shots = 0
    const screenshot = () => fromPixels(8, 1, new Uint8Array(32).fill(Math.min(++shots, 4)))
    const { ask, clock } = realDesktop({ screenshot })
    const waiting = ask('wait_idle', { window_uid: 'front', quiet_ms: 250, poll_ms: 100 })
    await clock.advance(2000)
    expect((await waiting).body).toMatchObject({ ok: true, elapsed_ms: 550, tree_hash: '' })
  })
})

it.each([0, 1500])('[OB76] [OB82] passes settle_ms %i to the desktop', async (settle_ms) => {
  const { ask, given } = realDesktop()
  await ask('press_key', { keys: 'ctrl+s', settle_ms })
  await ask('click_element', { window_uid: 'form', selector: 'Button "OK"', settle_ms })
  const options = { settleMs: settle_ms, keyboardWindow: 'front' }
  expect(given).toEqual([options, options])
})

it('[OB76] refuses a settle_ms that is too long', async () => {
  const { fault } = await realDesktop().ask('press_key', { keys: 'a', settle_ms: 10_001 })
  expect(fault).toMatchObject({ code: 'BadRequest', message: expect.stringContaining('settle_ms') })
})
