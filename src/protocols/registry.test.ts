import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { AGENT_PROTOCOLS, OBSERVER_DOORS, PROTOCOL_NAMES, PROTOCOLS, PROTOCOLS_OF_ALL } from './registry.ts'

describe('the registry', () => {
  it('[PRO26] has one name and one port for each protocol and service', () => {
    const services = AGENT_PROTOCOLS.flatMap(({ services = [] }) => services)
    const ports = [...PROTOCOLS, ...services].map(({ port }) => port)
    const names = [...PROTOCOL_NAMES, ...services.map(({ name }) => name)]
    expect([new Set(names).size, new Set(ports).size]).toEqual([names.length, ports.length])
  })

  it('[PRO29] serves the documented protocols with all, and others by name', () => {
    expect(PROTOCOLS_OF_ALL).toEqual(['observer', 'agent-webkit', 'cortask', 'navi', 'windieos'])
    expect(PROTOCOL_NAMES).toEqual([...PROTOCOLS_OF_ALL, 'openenv', 'osworld'])
  })

  it('lists only doors that have a row in the guide', () => {
    const guide = readFileSync(new URL('../../docs/front-doors.md', import.meta.url), 'utf8')
    const rows = guide.split('\n').filter((line) => line.startsWith('|'))
    const paths = OBSERVER_DOORS.map(({ path }) => path)
    expect(paths.filter((path) => !rows.some((row) => new RegExp(`${path}\\b`).test(row)))).toEqual([])
  })

  it('[PRO27] names its flags after the protocol, or begins their descriptions with its name', () => {
    const flags = AGENT_PROTOCOLS.flatMap(({ name, flags }) => flags.map((flag) => ({ name, ...flag })))
    const strange = flags.filter(
      ({ name, syntax, description }) => !syntax.startsWith(`--${name}-`) && !description.startsWith(`${name}: `),
    )
    expect(strange).toEqual([])
  })
})
