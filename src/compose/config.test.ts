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

it('[H7] a missing file means the defaults, and is told of if it was named', () => {
  const path = join(folder, 'none.json')
  expect(loadConfig(path)).toMatchObject({
    config: Config.parse({}),
    path,
    warning: expect.stringContaining('there is no such file'),
  })
  vi.spyOn(process, 'cwd').mockReturnValueOnce(folder)
  expect(loadConfig()).toEqual({ config: Config.parse({}), path: join(folder, 'config.json'), warning: null })
})

it('a block keeps the defaults of what it does not say', () => {
  const { config, warning } = load('{"tree": {"max_depth": 3}, "_note": "for people"}')
  expect(config.tree).toEqual({ ...Config.parse({}).tree, max_depth: 3 })
  expect(warning).toBeNull()
})

it('unknown keys have no effect, and are named', () => {
  expect(load('{"redactoin": {}, "vlm": {}, "speed": 3}').warning).toBe(
    'unknown keys have no effect: redactoin (redaction?), speed',
  )
})

it('unknown keys are named in whatever block they stand', () => {
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

it('tools that do not exist are neither allowed nor denied, which is told', () => {
  expect(load('{"actions": {"deny": ["clik_element", "drag"], "alow": []}}').warning).toBe(
    'unknown keys have no effect: actions.alow (allow?); actions names what is no tool: clik_element (click_element?)',
  )
})

it.each([
  ['{"tree": ', /is not JSON/],
  ['[]', /must hold a JSON object/],
  ['{"tree": {"max_depth": "deep"}}', /tree\.max_depth/],
  ['{"actions": {"default": "maybe"}}', /actions\.default/],
  ['{"redaction": {"element_name_patterns": "PIN"}}', /element_name_patterns/],
])('[H7] %s keeps the server from starting', (text, message) => {
  expect(() => load(text)).toThrow(ConfigError)
  expect(() => load(text)).toThrow(message)
})

it('the library takes a configuration as it is written, and names what is wrong with it', async () => {
  const testbed = await createTestbed({ config: { read_only: true } })
  expect((await call(testbed.session, 'press_key', { keys: 'tab' })).fault?.code).toBe('PermissionDenied')
  await testbed.close()
  // @ts-expect-error: a list is wanted
  await expect(createTestbed({ config: { actions: { allow: 3 } } })).rejects.toThrow('"allow"')
})
