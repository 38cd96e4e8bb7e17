import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { OPTIONAL } from '../base/optional.ts'
import { PACKAGE } from '../compose/package.ts'
import { parseRedisAddress } from '../evaluation/queue/redis.ts'
import { COMMANDS } from './commands/index.ts'

// docs/scaling has files for container engines, which tests cannot run.

const FOLDER = join(PACKAGE, 'docs/scaling')
const read = (name: string): string => readFileSync(join(FOLDER, name), 'utf8')

interface Container {
  readonly name: string
  readonly image: string
  readonly args?: readonly string[]
  readonly env?: readonly { readonly name: string; readonly valueFrom: { readonly secretKeyRef: SecretKey } }[]
  readonly volumeMounts?: readonly { readonly name: string }[]
}
interface SecretKey {
  readonly name: string
  readonly key: string
}
interface PodTemplate {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> }
  readonly spec: { readonly containers: readonly Container[]; readonly volumes?: readonly { readonly name: string }[] }
}
interface Manifest {
  readonly kind: string
  readonly metadata: { readonly name: string }
  readonly stringData?: Readonly<Record<string, string>>
  readonly spec?: {
    readonly selector?: Readonly<Record<string, unknown>>
    readonly template?: PodTemplate
  }
}
interface Service {
  readonly image: string
  readonly command: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  readonly build?: { readonly context: string; readonly dockerfile: string }
  readonly depends_on?: Readonly<Record<string, unknown>>
}

const compose = parse(read('compose.yaml')) as { readonly services: Readonly<Record<string, Service>> }
const manifests = parseAllDocuments(read('kubernetes.yaml')).map((document) => {
  expect('errors' in document ? document.errors : []).toEqual([])
  return (document as { toJS(): Manifest }).toJS()
})
const templates = manifests.flatMap(({ spec }) => spec?.template ?? [])
const containers = templates.flatMap(({ spec }) => spec.containers)

/** Parses the arguments of a command as the command line does, without running it. Throws for a wrong one. */
async function parseArguments([name = '', ...args]: readonly string[], environment: readonly string[] = []) {
  const command = await COMMANDS[name]!()
  command.exitOverride().configureOutput({ writeErr: () => {} })
  command.action(() => {})
  const queue = environment.includes('BACKLOT_QUEUE') ? ['--queue', 'redis://redis'] : []
  await command.parseAsync([...args, ...queue], { from: 'user' })
  return command.opts<{ queue: string }>()
}

describe('the files for containers', () => {
  it('have commands of Backlot that the command line accepts', async () => {
    const commands = [
      ...Object.values(compose.services).map(({ image, command, environment = {} }) => ({
        image,
        command,
        environment: Object.keys(environment),
      })),
      ...containers.map(({ image, args = [], env = [] }) => ({
        image,
        command: args,
        environment: env.map(({ name }) => name),
      })),
    ].filter(({ image }) => image === 'backlot')
    expect(commands.map(({ command }) => command[0])).toEqual(['worker', 'eval', 'worker', 'eval'])
    for (const { command, environment } of commands) {
      const { queue } = await parseArguments(command, environment)
      expect(queue === '$(QUEUE)' || parseRedisAddress(queue).host === 'redis').toBe(true)
    }
    await expect(parseArguments(['worker', '--concurency', '2'], ['BACKLOT_QUEUE'])).rejects.toThrow('unknown option')
  })

  it('name files, services, secrets and volumes that exist', () => {
    for (const { build, depends_on = {} } of Object.values(compose.services)) {
      for (const name of Object.keys(depends_on)) expect(Object.keys(compose.services)).toContain(name)
      if (build) expect(statSync(join(FOLDER, build.context, build.dockerfile)).isFile()).toBe(true)
    }
    const secrets = manifests.filter(({ kind }) => kind === 'Secret')
    for (const { spec, metadata } of templates) {
      const volumes = (spec.volumes ?? []).map(({ name }) => name)
      for (const { env = [], volumeMounts = [] } of spec.containers) {
        for (const { name } of volumeMounts) expect(volumes).toContain(name)
        for (const { valueFrom } of env) {
          const secret = secrets.find((each) => each.metadata.name === valueFrom.secretKeyRef.name)
          expect(Object.keys(secret?.stringData ?? {})).toContain(valueFrom.secretKeyRef.key)
        }
      }
      expect(Object.keys(metadata.labels)).toContain('app')
    }
    const [service] = manifests.filter(({ kind }) => kind === 'Service')
    const { url } = secrets[0]!.stringData as { url: string }
    expect(parseRedisAddress(url).host).toBe(service!.metadata.name)
    expect(templates.map(({ metadata }) => metadata.labels.app)).toContain(service!.spec!.selector!.app)
  })

  it('install the packages of a queue', () => {
    for (const each of OPTIONAL.queue.packages) expect(read('Dockerfile')).toContain(` ${each} `)
  })
})
