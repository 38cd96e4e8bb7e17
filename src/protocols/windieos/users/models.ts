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
