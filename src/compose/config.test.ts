import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { call } from '../observer/call.ts'
import { Config, ConfigError, loadConfig } from './config.ts'
import { createTestbed } from './testbed.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'backlot-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const load = (text: string) => {
  const path = join(folder, 'config.json')
  writeFileSync(path, text)
  return loadConfig(path)
}

it('[REST7] uses the defaults for a missing file, with a warning if it was named', () => {
  const path = join(folder, 'none.json')
  expect(loadConfig(path)).toMatchObject({
    config: Config.parse({}),
    path,
    warning: expect.stringContaining('file not found'),
  })
  vi.spyOn(process, 'cwd').mockReturnValueOnce(folder)
  expect(loadConfig()).toEqual({ config: Config.parse({}), path: join(folder, 'config.json'), warning: null })
})

it('keeps the defaults of keys that a block omits', () => {
  const { config, warning } = load('{"tree": {"max_depth": 3}, "_note": "for people"}')
  expect(config.tree).toEqual({ ...Config.parse({}).tree, max_depth: 3 })
  expect(warning).toBeNull()
})

it('ignores unknown keys with a warning', () => {
  expect(load('{"redactoin": {}, "vlm": {}, "speed": 3}').warning).toBe(
    'unknown keys have no effect: redactoin (redaction?), speed',
  )
})

it('reports unknown keys at any depth', () => {
  const blocks = {
    confirmation_required: [{ name_regex: 'Delete' }, { name_regx: '(?i)login' }],
    redaction: { element_name_pattern: ['x'], _why: 'for people' },
    budget: { max_action: 1 },
    web_ui: { prt: 5 },
  }
  expect(load(JSON.stringify(blocks)).warning).toBe(
    'unknown keys have no effect: confirmation_required[1].name_regx (name_regex?), ' +
      'redaction.element_name_pattern (element_name_patterns?), budget.max_action (max_actions?), web_ui.prt (port?)',
  )
})

it('ignores unknown tools with a warning', () => {
  expect(load('{"actions": {"deny": ["clik_element", "drag"], "alow": []}}').warning).toBe(
    'unknown keys have no effect: actions.alow (allow?); unknown tools in actions: clik_element (click_element?)',
  )
})

it.each([
  ['{"tree": ', /is not JSON/],
  ['[]', /must hold a JSON object/],
  ['{"tree": {"max_depth": "deep"}}', /tree\.max_depth/],
  ['{"actions": {"default": "maybe"}}', /actions\.default/],
  ['{"redaction": {"element_name_patterns": "PIN"}}', /element_name_patterns/],
])('[REST7] refuses to start with %s', (text, message) => {
  expect(() => load(text)).toThrow(ConfigError)
  expect(() => load(text)).toThrow(message)
})

it('accepts a written configuration in the library and reports its errors', async () => {
  const testbed = await createTestbed({ config: { read_only: true } })
  expect((await call(testbed.session, 'press_key', { keys: 'tab' })).fault?.code).toBe('PermissionDenied')
  await testbed.close()
  // @ts-expect-error: a list is wanted
  await expect(createTestbed({ config: { actions: { allow: 3 } } })).rejects.toThrow('"allow"')
})
