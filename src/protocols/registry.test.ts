import { describe, expect, it } from 'vitest'
import { AGENT_PROTOCOLS, PROTOCOL_NAMES } from './registry.ts'

describe('the registry', () => {
  it('[PR1] has one name and one port for each protocol and service', () => {
    const services = AGENT_PROTOCOLS.flatMap(({ services = [] }) => services)
    const ports = [...AGENT_PROTOCOLS, ...services].map(({ port }) => port)
    const names = [...PROTOCOL_NAMES, ...services.map(({ name }) => name)]
    expect([new Set(names).size, new Set(ports).size]).toEqual([names.length, ports.length])
  })

  it('[PR2] names its flags after the protocol, or begins their descriptions with its name', () => {
    const flags = AGENT_PROTOCOLS.flatMap(({ name, flags }) => flags.map((flag) => ({ name, ...flag })))
    const strange = flags.filter(
      ({ name, syntax, description }) => !syntax.startsWith(`--${name}-`) && !description.startsWith(`${name}: `),
    )
    expect(strange).toEqual([])
  })
})
