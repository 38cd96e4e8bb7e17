import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { loadProfile, readProfile, shippedProfiles } from './profile.ts'
import { PROTOCOLS } from './protocols.ts'

const text = `
name: mine
navi:
  tier: sdk
  phrases: {hello: hi there}
  known: {static: index.html}
`

describe('a profile', () => {
  it('returns phrases and known facts of its protocol', () => {
    const profile = readProfile(text, 'navi')
    expect(profile.name).toBe('mine')
    expect(profile.tier).toBe('sdk')
    expect(profile.phrase('hello')).toBe('hi there')
    expect(profile.known('static', z.string())).toBe('index.html')
  })

  it('can be one that ships with the suite', () => {
    expect(shippedProfiles()).toEqual(expect.arrayContaining(['ours', 'real-desktop', 'reference-observer']))
    expect(shippedProfiles()).not.toContain('real-desktop-baseline')
    expect(loadProfile('ours', 'navi').phrase('hello')).toBe('hello')
    expect(() => loadProfile('nobodys', 'navi')).toThrow(/profile nobodys does not exist; give a file or .*: ours,/)
  })

  it('resolves the folder of the suite in any installation', () => {
    const desktop = readProfile('name: mine\nobserver: {known: {desk: "{suite}/scenarios/desk.yaml"}}', 'observer')
    expect(existsSync(desktop.known('desk', z.string()))).toBe(true)
  })

  it.each(shippedProfiles())('that ships with the suite, such as %s, does not refer to a checkout', (name) => {
    for (const protocol of PROTOCOLS) {
      const { servers } = loadProfile(name, protocol)
      for (const command of Object.values(servers)) expect(command).toMatch(/^(\w+=\S+ )?\{backlot\} serve /)
    }
  })

  it('fails checks that need a missing value', () => {
    const profile = readProfile(text, 'cortask')
    expect(() => profile.phrase('hello')).toThrow('prerequisite: the profile "mine" has no phrase "hello"')
    expect(() => profile.known('workspace', z.string())).toThrow('prerequisite: the profile "mine" has no "workspace"')
  })

  it('is the user’s own fault when a fact has another shape', () => {
    const failure = () => readProfile(text, 'navi').known('static', z.number())
    expect(failure).toThrow(/the profile "mine" is wrong about "static"/)
    expect(failure).not.toThrow(expect.objectContaining({ name: 'AssertionError' }))
  })

  it('names a misspelt key', () => {
    expect(() => readProfile('name: x\nnavi: {phrase: {}}', 'navi', 'x.yaml')).toThrow(
      /x\.yaml is not a profile[\s\S]*phrase/,
    )
  })

  it('of Backlot has a section for every protocol that has a suite', () => {
    for (const protocol of PROTOCOLS) expect(loadProfile('conformance/profiles/ours.yaml', protocol).name).toBe('ours')
  })
})
