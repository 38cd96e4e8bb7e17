import { Fault } from '../../base/fault.ts'
import type { Settings, SettingsUpdate } from './wire.ts'

/** A provider's key, which never leaves the server. */
export interface ProviderKey {
  readonly enabled: boolean
  readonly api_key: string
}

/** The settings of a user. */
export interface UserSettings extends Omit<Settings, 'provider_api_keys'> {
  readonly provider_api_keys: Readonly<Record<string, ProviderKey>>
}

/** The settings of a new user, with the first online model. */
export const defaultSettings = ({ online: [first] }: Catalogue): UserSettings => ({
  model_mode: 'online',
  model_provider: first.provider,
  selected_model_id: first.id,
  interaction_mode: 'agent',
  speech_mode_enabled: false,
  wakeword_enabled: false,
  wakeword_stt_enabled: false,
  browser_automation_enabled: true,
  include_query_screenshot: true,
  provider_api_keys: {},
})

/** The part of the settings that introspection shows. */
export const settingsSnapshot = ({
  model_mode,
  model_provider,
  selected_model_id,
  interaction_mode,
}: UserSettings) => ({
  model_mode,
  model_provider,
  selected_model_id,
  interaction_mode,
})

/** The settings without secrets: whether a key is enabled, but never the key. */
export const withoutSecrets = ({ provider_api_keys, ...settings }: UserSettings): Settings => ({
  ...settings,
  provider_api_keys: Object.fromEntries(
    Object.entries(provider_api_keys).map(([provider, { enabled }]) => [provider, { enabled, api_key: '' as const }]),
  ),
})

type Changes = Omit<SettingsUpdate, 'tools' | 'agent_definition'>

/**
 * Applies an update as a whole, or throws `BadRequest`. A model also sets its provider, and an empty key keeps the stored one.
 */
export function updateSettings(
  config: UserSettings,
  { provider_api_keys, ...changes }: Changes,
  catalogue: Catalogue,
): UserSettings {
  const { selected_model_id: chosen, model_provider: provider } = changes
  const model = allModels(catalogue).find(
    (entry) => entry.id === chosen && entry.provider === (provider ?? entry.provider),
  )
  if (provider !== undefined && !allModels(catalogue).some((entry) => entry.provider === provider))
    throw new Fault('BadRequest', `there is no provider ${JSON.stringify(provider)}`)
  if (chosen !== undefined && !model) {
    const whose = provider === undefined ? '' : ` of the provider ${JSON.stringify(provider)}`
    throw new Fault('BadRequest', `there is no model ${JSON.stringify(chosen)}${whose}`)
  }
  const keys = Object.entries(provider_api_keys ?? {}).map(([name, { enabled, api_key }]) => {
    const known = config.provider_api_keys
    const before = Object.hasOwn(known, name) ? known[name] : undefined
    return [name, { enabled: enabled ?? before?.enabled ?? true, api_key: api_key || before?.api_key || '' }] as const
  })
  return {
    ...config,
    ...given(changes),
    ...(model && { model_provider: model.provider }),
    provider_api_keys: { ...config.provider_api_keys, ...Object.fromEntries(keys) },
  }
}

type Given<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> }

const given = <T extends object>(changes: T): Given<T> =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as Given<T>

/** A model that clients can select (WindieOS document, "models-listed"). */
export interface ModelEntry {
  readonly id: string
  readonly provider: string
  readonly display_name: string
  readonly [more: string]: unknown
}

/** All models by category. */
export interface Catalogue {
  readonly local: readonly ModelEntry[]
  readonly online: readonly [ModelEntry, ...ModelEntry[]]
  readonly vision: readonly ModelEntry[]
}

const effort = (mode: string, label: string): ModelEntry => ({
  id: `gpt-5.4@@gpt-5-4-${mode}-thinking`,
  provider: 'openai',
  runtime_model_id: 'gpt-5.4',
  family_id: 'openai::gpt-5.4',
  family_label: 'GPT-5.4',
  display_name: `GPT-5.4 ${label}`,
  supports_thinking: true,
  reasoning_mode: mode,
  reasoning_modes: ['none', 'low', 'medium', 'high', 'xhigh'],
  default_reasoning_mode: 'none',
  default_model_id: 'gpt-5.4@@gpt-5-4-none-thinking',
  supports_native_web_search: true,
  capabilities: { supports_native_web_search: true },
  context_window: 400_000,
  description: 'A reasoning model; how hard it thinks can be chosen.',
  strengths: ['Reasoning', 'Code', 'Agents', 'Tools'],
  input_price: 'Free',
  output_price: 'Free',
  latency: '~1.4s',
})

/** The catalogue with only the configured real model. */
export const onlyModel = (model: string): Catalogue => ({
  local: [],
  online: [{ id: model, provider: 'openai', display_name: model }],
  vision: CATALOGUE.vision,
})

/** The default catalogue. */
export const CATALOGUE: Catalogue = {
  local: [{ id: 'llama-2-7b', provider: 'ollama', display_name: 'llama-2-7b' }],
  online: [
    effort('none', 'None'),
    effort('high', 'High'),
    {
      id: 'claude-sonnet-4-5-20250929',
      provider: 'anthropic',
      display_name: 'anthropic/claude-sonnet-4-5-20250929',
      supports_thinking: true,
      context_window: 200_000,
      description: 'A model for writing, code and long tasks.',
      strengths: ['Agents', 'Coding', 'Writing', 'Reliable'],
      input_price: 'Free',
      output_price: 'Free',
      latency: '~1.3s',
    },
  ],
  vision: [
    {
      id: 'OpenGVLab/InternVL3_5-4B',
      provider: 'huggingface-local',
      display_name: 'huggingface-local/OpenGVLab/InternVL3_5-4B',
    },
  ],
}

/** All models of a catalogue. */
export const allModels = ({ local, online, vision }: Catalogue): readonly ModelEntry[] => [
  ...local,
  ...online,
  ...vision,
]
