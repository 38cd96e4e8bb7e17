import { describe, expect, it } from 'vitest'
import {
  DEFAULT_PERMISSIONS,
  decideCall,
  type PermissionRule,
  type Permissions,
  type RequestedCall,
  textsIn,
} from './profiles.ts'

const click: RequestedCall = { tool: 'click_element', acts: true, demanded: false, targets: ['Button "Delete"'] }
const look: RequestedCall = { tool: 'get_screenshot', acts: false, demanded: false, targets: [] }
const rule = (decision: PermissionRule['decision'], tool = '*', target?: string): PermissionRule => ({
  tool,
  decision,
  ...(target !== undefined && { target }),
})
const real: Permissions = { ...DEFAULT_PERMISSIONS, askBeforeActs: true }

describe('a call', () => {
  it.each([
    ['default', 'ask'],
    ['unheard of', 'ask'],
    ['acceptEdits', 'allow'],
    ['plan', 'deny'],
    ['bypassPermissions', 'allow'],
    ['auto', 'allow'],
    ['dontAsk', 'deny'],
  ])('[AG36] of a real model that acts, in mode %s: %s', (mode, expected) => {
    expect(decideCall({ ...real, mode }, [], click)).toBe(expected)
    expect(decideCall({ ...real, mode }, [], look)).toBe('allow')
  })

  it.each([
    ['an ask', [rule('ask')], 'ask'],
    ['an allowance', [rule('allow')], 'allow'],
    ['a denial', [rule('deny')], 'deny'],
    ['the first of two that fit', [rule('allow', 'click_*'), rule('deny')], 'allow'],
    ['one for another tool', [rule('deny', 'drag')], 'ask'],
    ['one for a part of a name', [rule('deny', '*_el*t')], 'deny'],
    ['one for a longer name', [rule('deny', 'click_element*t')], 'ask'],
    ['one for its target', [rule('deny', '*', '(?i)delete')], 'deny'],
    ['one for another target', [rule('deny', '*', 'Save')], 'ask'],
  ] as const)('[AG31] heeds %s of the table', (_, table, expected) => {
    expect(decideCall(real, table, click)).toBe(expected)
    expect(decideCall({ ...real, rules: table.slice(0, 1) }, [], click)).toBe(expected)
  })

  it.each(['default', 'acceptEdits', 'bypassPermissions', 'auto', 'dontAsk', 'plan'])(
    '[AG32] that a rule denies is denied in the mode %s',
    (mode) => {
      expect(decideCall({ ...real, mode }, [rule('deny')], look)).toBe('deny')
      expect(decideCall({ ...real, mode, rules: [rule('allow')] }, [rule('deny')], look)).toBe('deny')
      expect(decideCall({ ...real, mode, rules: [rule('deny'), rule('allow')] }, [rule('allow')], look)).toBe('deny')
    },
  )

  it('[AG32] allowed by the user is made without asking, even if the table asks', () => {
    expect(decideCall({ ...real, rules: [rule('allow', 'click_element')] }, [rule('ask')], click)).toBe('allow')
  })

  it('[AG31] that the table asks about needs permission even if edits are accepted', () => {
    expect(decideCall({ ...real, mode: 'acceptEdits' }, [rule('ask')], click)).toBe('ask')
    expect(decideCall({ ...real, mode: 'plan' }, [rule('allow')], click)).toBe('deny')
    expect(decideCall({ ...real, mode: 'dontAsk' }, [rule('allow')], click)).toBe('allow')
  })

  it('[AG33] is allowed only if all its texts match', () => {
    const table = [rule('allow', '*', '^git ')]
    const wanted = (args: unknown): RequestedCall => ({ ...click, tool: 'run_command', targets: textsIn(args) })
    expect(decideCall(real, table, wanted({ command: 'git status' }))).toBe('allow')
    expect(decideCall(real, table, wanted({ command: 'rm -rf /', note: 'git status' }))).toBe('ask')
    expect(decideCall(real, table, wanted({}))).toBe('ask')
    const ok: RequestedCall = { ...click, targets: ['Button[name="OK"]', 'Button "OK"'] }
    expect(decideCall(real, [rule('allow', 'click_element', 'Button.*"OK"')], ok)).toBe('allow')
    expect(decideCall(real, [rule('deny', '*', 'rm')], wanted({ steps: [{ run: ['ls', 'rm x'] }] }))).toBe('deny')
  })

  it('[AG35] is checked in all its texts, and refused if that exceeds the limit', () => {
    const deny = [rule('deny', '*', '(?i)delete')]
    const wanted = (args: unknown): RequestedCall => ({ ...click, targets: textsIn(args) })
    expect(decideCall(real, deny, wanted([...Array(500).fill('x'), 'Delete']))).toBe('deny')
    expect(decideCall(real, deny, wanted(`${'x'.repeat(50_000)} DELETE`))).toBe('deny')
    expect(() => decideCall(real, deny, wanted('x'.repeat(5_000_000)))).toThrow(/too much work/)
  })
})
