import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fastJsonPatch, { type Operation } from 'fast-json-patch'
import { PNG } from 'pngjs'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Config } from '../../src/compose/config.ts'
import type { Testbed } from '../../src/compose/testbed.ts'
import { centerOf } from '../../src/desktop/model/geometry.ts'

/** The operator's settings, as in the configuration file. */
export type Settings = Partial<Record<keyof Config, unknown>>

/** A desktop whose only window is the form of `fixtures`, and a folder for its artifacts. */
export interface Stage {
  readonly folder: string
  /** Serves the same desktop with other settings. */
  open(settings: Settings): Promise<Testbed>
  /** Resets the form to its initial state. */
  renew(): Promise<void>
  close(): Promise<void>
}

// biome-ignore lint/suspicious/noExplicitAny: the response depends on the tool.
type Answer = any
type Ask = (tool: string, args?: object) => Promise<Answer>

const GREET = { selector: 'Button[name="Greet"]' }
const FIRST = { selector: 'Edit[name="First name"]' }
const PASSWORD = { selector: 'Edit[name="Password"]' }
const AGREE = { selector: 'CheckBox[name="Agree"]' }
const COLOUR = { selector: 'ComboBox[name="Colour"]' }

/** The tests over HTTP for every desktop, synthetic or real. */
export function observerSuite(name: string, start: () => Promise<Stage>): void {
  let stage: Stage
  beforeAll(async () => {
    stage = await start()
  })
  afterAll(() => stage?.close())
  beforeEach(() => stage.renew())

  /** Runs a test on a server with these settings, and closes it. */
  const served = async (settings: Settings, story: (ask: Ask, testbed: Testbed) => Promise<void>) => {
    const testbed = await stage.open(settings)
    try {
      const { url } = await testbed.serveRest({ port: 0 })
      const headers = { 'content-type': 'application/json' }
      await story(async (tool, args = {}) => {
        const body = JSON.stringify(args)
        return (await fetch(`${url}/api/tool/${tool}`, { method: 'POST', headers, body })).json()
      }, testbed)
    } finally {
      await testbed.close()
    }
  }
  const expectOutput = async (ask: Ask, regex: string) => {
    const condition = { type: 'text_visible', regex }
    expect(await ask('wait_for', { any_of: [condition], timeout_ms: 8000 })).toMatchObject({ ok: true })
  }
  const holds = async (ask: Ask, selector: string) => {
    const condition = { type: 'element_appears', selector }
    expect(await ask('wait_for', { any_of: [condition], timeout_ms: 8000 })).toMatchObject({ ok: true })
  }

  describe(`${name}, observed over HTTP`, () => {
    it('agrees in lists, trees, searches, texts and pictures', () =>
      served({}, async (ask) => {
        const { windows } = await ask('list_windows')
        expect(windows).toMatchObject([{ title: 'Form', focused: true, index: 0 }])
        const { tree, element_count } = await ask('get_window_structure')
        const all = flat(tree)
        expect(all.length).toBe(element_count)
        const found = await ask('find_element', GREET)
        const button = all.find(({ role, name }) => role === 'Button' && name === 'Greet')
        expect(found).toMatchObject({ ok: true, element_id: button.id, bounds: button.bounds, ambiguous_matches: 1 })
        expect((await ask('get_screen_description')).description).toContain('Greet')
        expect((await ask('get_screen_sketch')).sketch).toContain('Greet')
        const shot = await ask('get_screenshot', { window_uid: windows[0].window_uid })
        const { width, height } = PNG.sync.read(Buffer.from(shot.data, 'base64'))
        expect({ width, height }).toEqual({ width: windows[0].bounds.width, height: windows[0].bounds.height })
      }))

    it('returns changes that turn the old tree into the new one', () =>
      served({}, async (ask) => {
        const first = await ask('observe_window')
        await ask('set_value', { ...FIRST, value: 'Ada' })
        await holds(ask, 'Edit[value="Ada"]')
        const next = await ask('observe_window', { since: first.tree_token, format: 'json-patch' })
        expect(next).toMatchObject({ ok: true, format: 'json-patch', unchanged: false })
        const whole = await ask('get_window_structure')
        const built = fastJsonPatch.applyPatch(structuredClone(first.tree), next.changes as Operation[])
        expect(built.newDocument).toEqual(whole.tree)
      }))

    it('keeps snapshots that can be compared', () =>
      served({}, async (ask) => {
        const { snapshot_id: a } = await ask('snapshot')
        await ask('click_element', AGREE)
        await holds(ask, 'CheckBox[name="Agree"][selected=true]')
        const { snapshot_id: b } = await ask('snapshot')
        const difference = await ask('snapshot_diff', { a, b })
        expect(JSON.stringify(difference)).toContain('selected')
        expect(await ask('snapshot_get', { snapshot_id: 'no-such' })).toMatchObject(refusal('SnapshotExpired'))
      }))

    it('compares equal to itself, and different after a change', () =>
      served({ roots: [stage.folder] }, async (ask) => {
        const { windows } = await ask('list_windows')
        const { data } = await ask('get_screenshot', { window_uid: windows[0].window_uid })
        const reference_path = join(stage.folder, 'before.png')
        const judge = async (predicate: object) => (await ask('assert_state', { predicate: [predicate] })).all_passed
        writeFileSync(reference_path, Buffer.from(data, 'base64'))
        const alike = { kind: 'screenshot_similar', reference_path, min_ssim: 0.99 }
        expect(await judge(alike)).toBe(true)
        expect(await judge({ kind: 'element_exists', ...GREET })).toBe(true)
        expect(await judge({ kind: 'text_visible', regex: 'no such words' })).toBe(false)
      }))
  })

  describe(`${name}, operated over HTTP`, () => {
    it('is filled in and shows the result', () =>
      served({}, async (ask) => {
        expect(await ask('set_value', { ...FIRST, value: 'Zofia' })).toMatchObject({ ok: true, changed: true })
        await holds(ask, 'Edit[name="First name"][value="Zofia"]')
        expect(await ask('clear_text', FIRST)).toMatchObject({ ok: true })
        expect(await ask('focus_element', FIRST)).toMatchObject({ ok: true })
        expect(await ask('type_text', { text: 'Ala ma kota' })).toMatchObject({ ok: true })
        await holds(ask, 'Edit[name="First name"][value="Ala ma kota"]')
        expect(await ask('click_element', AGREE)).toMatchObject({ ok: true, action: 'click_element', dry_run: false })
        await holds(ask, 'CheckBox[name="Agree"][selected=true]')
        expect(await ask('select_option', { ...COLOUR, option_name: 'Blue' })).toMatchObject({ ok: true })
        await holds(ask, 'ComboBox[value="Blue"]')
        expect(await ask('invoke_element', GREET)).toMatchObject({ ok: true })
        await expectOutput(ask, 'greeted')
      }))

    it('waits for changes without an action', () =>
      served({}, async (ask) => {
        await ask('click_element', { selector: 'Button[name="Later"]' })
        await expectOutput(ask, 'later came')
        const never = { any_of: [{ type: 'text_visible', regex: 'never' }], timeout_ms: 120 }
        const late = await ask('wait_for', never)
        expect(late).toMatchObject(refusal('Timeout'))
        expect(late.error.context.elapsed_ms).toBeGreaterThanOrEqual(120)
      }))

    it('reports dialogs that open, and accepts their answer', () =>
      served({}, async (ask) => {
        const { new_dialogs } = await ask('click_element', { selector: 'Button[name="Delete all"]' })
        expect(new_dialogs).toMatchObject([{ title: 'Really?' }])
        const [{ window_uid }] = new_dialogs
        expect(await ask('click_element', { window_uid, selector: 'Button[name="No"]' })).toMatchObject({ ok: true })
        await expectOutput(ask, 'answered -9')
        const gone = await ask('click_element', { window_uid, selector: 'Button[name="No"]' })
        expect(gone).toMatchObject(refusal('WindowGone'))
      }))

    it('refuses invalid actions without effect', () =>
      served({}, async (ask) => {
        const before = (await ask('get_window_structure')).tree_hash
        const refused = async (tool: string, args: object) => (await ask(tool, args)).error?.code
        expect(await refused('click_element', { selector: 'Button[name="Forbidden"]' })).toBe('ElementDisabled')
        expect(await refused('click_element', { selector: 'Button[name="Nowhere"]' })).toBe('ElementNotFound')
        expect(await refused('click_element', { selector: 'Button[[' })).toBe('BadRequest')
        // A real desktop refuses it. On a synthetic one nothing receives it.
        const beyond = await ask('click_at', { x: -99_999, y: 5 })
        expect(['BadRequest', false]).toContain(beyond.error?.code ?? beyond.changed)
        expect(await refused('press_key', { keys: 'no-such-key' })).toBe('BadRequest')
        expect(await refused('select_option', { ...COLOUR, option_name: 'Mauve' })).toBe('ElementNotFound')
        expect(await refused('click_element', { ...GREET, window_uid: 'nowhere' })).toBe('WindowGone')
        expect(await ask('click_element', { ...GREET, dry_run: true })).toMatchObject({ ok: true, dry_run: true })
        expect((await ask('get_window_structure')).tree_hash).toBe(before)
      }))

    it('is traced, and the trace replays', () =>
      served({ tracing: { dir: stage.folder } }, async (ask) => {
        await ask('trace_start', { label: 'form' })
        await ask('set_value', { ...FIRST, value: 'Ada' })
        await ask('click_element', AGREE)
        await holds(ask, 'CheckBox[name="Agree"][selected=true]')
        const { path } = await ask('trace_stop')
        await stage.renew()
        const { replay_id } = await ask('replay_start', { path, mode: 'verify' })
        let status = await ask('replay_status', { replay_id })
        while (status.ok && !status.finished) {
          await ask('replay_step', { replay_id })
          status = await ask('replay_status', { replay_id })
        }
        expect(status).toMatchObject({ ok: true, divergences: [] })
        await holds(ask, 'Edit[name="First name"][value="Ada"]')
      }))
  })

  describe(`${name}, restricted`, () => {
    it('accepts no input when it is served read-only', () =>
      served({ read_only: true }, async (ask) => {
        expect(await ask('click_element', GREET)).toMatchObject(refusal('PermissionDenied'))
        expect(await ask('press_key', { keys: 'tab' })).toMatchObject(refusal('PermissionDenied'))
        expect((await ask('get_window_structure')).ok).toBe(true)
      }))

    it('allows the tools of the allow list', () =>
      served({ actions: { default: 'deny', allow: ['click_element', 'get_window_structure'] } }, async (ask) => {
        expect(await ask('set_value', { ...FIRST, value: 'x' })).toMatchObject(refusal('PermissionDenied'))
        expect(await ask('click_element', AGREE)).toMatchObject({ ok: true })
      }))

    it('enforces its budgets', () =>
      served({ budget: { max_actions: 1, max_screenshots: 1 } }, async (ask) => {
        expect(await ask('click_element', AGREE)).toMatchObject({ ok: true })
        expect(await ask('click_element', AGREE)).toMatchObject(refusal('BudgetExceeded'))
        expect((await ask('get_screenshot')).ok ?? true).toBe(true)
        expect(await ask('get_screenshot')).toMatchObject(refusal('BudgetExceeded'))
      }))

    it('requires confirmation where a rule does, for every route', () =>
      served({ confirmation_required: [{ name_regex: '(?i)greet' }] }, async (ask) => {
        const { bounds } = await ask('find_element', GREET)
        const at = centerOf(bounds)
        expect(await ask('click_element', GREET)).toMatchObject(refusal('ConfirmationRequired'))
        expect(await ask('click_at', at)).toMatchObject(refusal('ConfirmationRequired'))
        const { confirm_token } = await ask('propose_action', { action: 'click_element', args: GREET })
        expect(await ask('click_element', { ...GREET, confirm_token })).toMatchObject({ ok: true })
        await expectOutput(ask, 'greeted')
        expect(await ask('click_element', { ...GREET, confirm_token })).toMatchObject(refusal('ConfirmationInvalid'))
      }))

    it('redacts secrets and the matches of patterns, also in pictures', () =>
      served(
        {
          redaction: { element_name_patterns: ['First name'], blur_screenshots: true },
          tracing: { dir: stage.folder },
        },
        async (ask) => {
          const { windows } = await ask('list_windows')
          const { tree } = await ask('get_window_structure')
          const first = flat(tree).find(({ name }) => name === '[REDACTED]')
          await ask('set_value', { element_id: first.id, value: 'Mata Hari' })
          await ask('set_value', { ...PASSWORD, value: 'H21-agent' })
          await ask('click_element', AGREE)
          await holds(ask, 'CheckBox[name="Agree"][selected=true]')
          for (const [tool, args] of [
            ['get_window_structure', {}],
            ['observe_window', {}],
            ['snapshot', {}],
            ['get_screen_description', {}],
            ['get_screen_sketch', {}],
            ['find_element', { selector: 'Edit' }],
          ] as const) {
            const response = JSON.stringify(await ask(tool, args))
            expect(response).not.toMatch(/Mata Hari|H21-agent/)
          }
          expect(await ask('find_element', { selector: 'Edit[value="Mata Hari"]' })).toMatchObject(
            refusal('ElementNotFound'),
          )
          const { data } = await ask('get_screenshot', { window_uid: windows[0].window_uid })
          const picture = PNG.sync.read(Buffer.from(data, 'base64'))
          const { bounds } = flat((await ask('get_window_structure')).tree).find(({ id }) => id === first.id)
          expect(coloursOf(picture, inside(bounds, windows[0].bounds)).size).toBe(1)
        },
      ))

    it('writes each call into the audit log, without typed text', () => {
      const path = join(stage.folder, 'audit.log')
      return served({ logging: { audit: true, audit_path: path } }, async (ask) => {
        await ask('set_value', { ...FIRST, value: 'Mata Hari' })
        await ask('click_element', { selector: 'Button[name="Nowhere"]' })
        const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
        expect(lines).toEqual([
          expect.stringMatching(/tool=set_value ok=true changed=true .*redactions=\[args\.value]$/),
          expect.stringMatching(/tool=click_element ok=false /),
        ])
        expect(lines.join()).not.toContain('Mata Hari')
      })
    })

    it('ends all input after stop-all, and continues to answer reads', () =>
      served({}, async (ask, testbed) => {
        const { url } = await testbed.serveRest({ port: 0 })
        const headers = { 'content-type': 'application/json' }
        const stop = await fetch(`${url}/api/stop-all`, { method: 'POST', headers, body: '{}' })
        expect(stop.status).toBe(200)
        expect(await ask('click_element', GREET)).toMatchObject(refusal('PermissionDenied'))
        expect((await ask('get_window_structure')).ok).toBe(true)
      }))
  })
}

const refusal = (code: string) => ({ ok: false, error: { code } })

/** An element and its descendants. */
const flat = (element: Answer): readonly Answer[] => [element, ...element.children.flatMap(flat)]

interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

const inside = (box: Box, window: Box): Box => ({ ...box, x: box.x - window.x, y: box.y - window.y })

function coloursOf(picture: PNG, { x, y, width, height }: Box): ReadonlySet<number> {
  const colours = new Set<number>()
  for (let row = y; row < y + height; row++)
    for (let column = x; column < x + width; column++)
      colours.add(picture.data.readUInt32BE((row * picture.width + column) * 4))
  return colours
}
