// An agent with a shell: a model of OpenAI's chat completions that runs commands, and knows the skill of backlot desk.
//   MODEL_URL=https://api.openai.com/v1 MODEL_KEY=… MODEL=… npx backlot eval login --agent "node shell.mjs"
// Run it as another user or in a container: its commands are not limited to the desktop.
import { spawnSync } from 'node:child_process'

const { BACKLOT_TASK, BACKLOT_MAX_STEPS, MODEL_URL, MODEL_KEY, MODEL } = process.env
const MAX_OUTPUT = 20_000

/** Runs a command. Its end and what it printed are for the model. */
function run(command) {
  const { stdout, stderr, status } = spawnSync('sh', ['-c', command], { encoding: 'utf8', timeout: 60_000 })
  return { status, output: `${stdout}${stderr}`.slice(0, MAX_OUTPUT) }
}

async function ask(messages) {
  const response = await fetch(`${MODEL_URL}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${MODEL_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: MODEL, messages, tools: [SHELL] }),
  })
  if (!response.ok) throw new Error(`the model answered ${response.status}: ${await response.text()}`)
  return (await response.json()).choices[0].message
}

const SHELL = {
  type: 'function',
  function: {
    name: 'run_command',
    description: 'Run a command in a shell.',
    parameters: { type: 'object', properties: { command: { type: 'string' } }, required: ['command'] },
  },
}

// Without a skill, as with --without-skill, the model finds out by itself.
const skill = run('backlot desk skills get')
const messages = [
  { role: 'system', content: skill.status === 0 ? skill.output : 'backlot desk --help shows how to use a desktop.' },
  { role: 'user', content: BACKLOT_TASK },
]
for (let step = 0, isFinished = false; step < Number(BACKLOT_MAX_STEPS || 100) && !isFinished; step++) {
  const message = await ask(messages)
  messages.push(message)
  if (!message.tool_calls?.length) break
  for (const { id, function: asked } of message.tool_calls) {
    const { command } = JSON.parse(asked.arguments)
    const { status, output } = run(command)
    messages.push({ role: 'tool', tool_call_id: id, content: `${output}\n(exit code ${status})` })
    if (/\bdesk finish\b/.test(command) && status === 0) isFinished = true
  }
}
