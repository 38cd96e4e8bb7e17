import { describe, expect, it } from 'vitest'
import { DEFAULT_PERMISSIONS, decideCall, type Permissions } from '../../agent/profiles.ts'
import { applyPermissionUpdates } from './translate.ts'

const run = (permissions: Permissions, command: string) =>
  decideCall(permissions, [], { tool: 'Bash', acts: true, demanded: true, targets: [command] })
const update = (type: string, behavior: string, ...rules: readonly unknown[]) => ({ type, behavior, rules })

describe('updated_permissions', () => {
  it.each([
    ['a tool', { toolName: 'Bash' }, 'npm test', 'allow'],
    ['a text', { toolName: 'Bash', ruleContent: 'npm test' }, 'npm test', 'allow'],
    ['another text', { toolName: 'Bash', ruleContent: 'npm test' }, 'npm test && rm x', 'ask'],
    ['a beginning', { toolName: 'Bash', ruleContent: 'npm run:*' }, 'npm run build', 'allow'],
    ['another beginning', { toolName: 'Bash', ruleContent: 'npm run*' }, 'rm -rf /', 'ask'],
    ['signs of patterns', { toolName: 'Bash', ruleContent: '.*|$(x)' }, 'rm -rf /', 'ask'],
    ['a text that is too long', { toolName: 'Bash', ruleContent: 'x'.repeat(9999) }, 'rm', 'ask'],
    ['no tool', { ruleContent: 'rm' }, 'rm', 'ask'],
    ['nothing', null, 'rm', 'ask'],
  ])('[AG32] allow %s', (_, rule, command, expected) => {
    expect(run(applyPermissionUpdates(DEFAULT_PERMISSIONS, [update('addRules', 'allow', rule)]), command)).toBe(
      expected,
    )
  })

  it('[AG32] deny, replace and remove rules', () => {
    const allowed = applyPermissionUpdates(DEFAULT_PERMISSIONS, [update('addRules', 'allow', { toolName: 'Bash' })])
    const denied = applyPermissionUpdates(allowed, [
      update('addRules', 'deny', { toolName: 'Bash', ruleContent: 'rm *' }),
    ])
    expect([run(denied, 'ls'), run(denied, 'rm x')]).toEqual(['allow', 'deny'])
    const replaced = applyPermissionUpdates(denied, [update('replaceRules', 'allow', { toolName: 'Read' })])
    expect([run(replaced, 'ls'), run(replaced, 'rm x')]).toEqual(['ask', 'deny'])
    const removed = applyPermissionUpdates(denied, [
      update('removeRules', 'deny', { toolName: 'Bash', ruleContent: 'rm *' }),
      update('removeRules', 'allow', { toolName: 'Bash', ruleContent: 'ls' }),
    ])
    expect([run(removed, 'ls'), run(removed, 'rm x')]).toEqual(['allow', 'allow'])
  })
})
