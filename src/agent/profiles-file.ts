import * as z from 'zod'
import { didYouMean } from '../base/strings.ts'
import { problemsOfSchema } from '../scenario/source/problem.ts'
import { ENGINE_TOOLS } from './engine-tools.ts'
import { Profile } from './profiles.ts'
import { CannedTool, invalidFile, parseYaml } from './script/script.ts'
import type { ToolDescription } from './toolbox.ts'

/** The content of a profiles file: profiles and their additional tools. */
export const Profiles = z.strictObject({
  profiles: z
    .array(Profile)
    .min(1)
    .superRefine((profiles, { addIssue }) => {
      const twice = profiles.find(({ id }, index) => profiles.findIndex((other) => other.id === id) < index)
      if (twice) addIssue(`two profiles have the id ${JSON.stringify(twice.id)}`)
    })
    .describe('The first is the default'),
  tools: z.array(CannedTool).default([]),
})
export type Profiles = z.infer<typeof Profiles>

/** Parses a profiles file (YAML). Throws `ScenarioInvalid` with the path of each problem. */
export function parseProfiles(text: string): Profiles {
  const written = parseYaml(text, 'the profiles file')
  const read = Profiles.safeParse(written)
  if (!read.success) throw invalidFile('the profiles file', problemsOfSchema(Profiles, written, read.error))
  return read.data
}

/** Returns one line for each enabled tool that does not exist. */
export function findUnknownTools(profiles: readonly Profile[], tools: readonly ToolDescription[]): readonly string[] {
  const names = [...tools, ...ENGINE_TOOLS].map(({ name }) => name)
  const where = 'but neither the desktop nor a script nor this file defines it'
  return profiles.flatMap(({ id, enabled_tools = [] }) =>
    enabled_tools
      .filter((tool) => !names.includes(tool))
      .map((tool) => `${JSON.stringify(id)} enables ${JSON.stringify(tool)}, ${where}${didYouMean(tool, names)}`),
  )
}

/** The default profiles of a server. */
export const DEFAULT_PROFILES: Profiles = Profiles.parse({
  profiles: [
    {
      id: 'secretary',
      name: 'Personal Secretary',
      description: 'Helps with research, writing and everyday tasks.',
      planning_enabled: true,
    },
    { id: 'server_admin', name: 'Server Administrator', description: 'Looks after machines.', thinking_enabled: false },
    {
      id: 'forgetful',
      name: 'Forgetful Friend',
      description: 'Has a small context window, so that it is soon compressed.',
      max_context_tokens: 1000,
    },
  ],
  tools: [
    {
      name: 'todo',
      description: 'Keep a list of things to do.',
      input: { type: 'object', properties: { item: { type: 'string' } } },
      result: 'noted: {{args.item}}',
    },
  ],
})
