import { parseScript, type Script } from './script.ts'

/** A phrase and the flow that it starts in the built-in agent. */
export interface Phrase {
  readonly say: string
  readonly does: string
}

interface Line extends Phrase {
  readonly steps: readonly unknown[]
  /** Matches a phrase with a variable part. */
  readonly regex?: string
}

const PLAN = ['## Plan', '', '**Task:** {{message}}', '', '**Steps:**', '1. Search.', '2. Answer.'].join('\n')

const QUESTIONS = {
  title: 'Project set-up',
  description: 'Three questions before we begin.',
  questions: [
    {
      id: 'framework',
      header: 'Framework',
      question: 'Which framework?',
      type: 'single',
      options: [
        { value: 'react', label: 'React', description: 'Components' },
        { value: 'vue', label: 'Vue', description: 'Templates' },
      ],
    },
    {
      id: 'extras',
      header: 'Extras',
      question: 'Which extras?',
      type: 'multiple',
      options: [
        { value: 'tests', label: 'Tests' },
        { value: 'docs', label: 'Docs' },
        { value: 'ci', label: 'CI' },
      ],
    },
    { id: 'name', question: 'What is it called?', type: 'text', placeholder: 'my-project' },
  ],
}

const runCommand = (command: string, as: string) => ({
  call: 'run_command',
  with: { command },
  as,
  ask_permission: { description: `Execute command: ${command}`, details: 'It changes files of the project.' },
})

const LINES: readonly Line[] = [
  {
    say: 'think it over',
    does: 'thinks in pieces, then answers',
    steps: [{ think: 'The question is simple. I only have to answer it.' }, { say: 'I have thought it over.' }],
  },
  {
    say: 'search the web',
    does: 'thinks, calls one tool and answers with its result',
    steps: [
      { think: 'I should look this up.' },
      { call: 'web_search', with: { query: 'weather in Lisbon' }, as: 'found' },
      { say: 'The web says: {{results.found.text}}' },
    ],
  },
  {
    say: 'use two tools',
    does: 'calls two tools in one message',
    steps: [
      {
        calls: [
          { call: 'web_search', with: { query: 'first' }, as: 'one' },
          { call: 'read_file', with: { path: 'README.md' }, as: 'two' },
        ],
      },
      { say: 'Two results: {{results.one.text}} and {{results.two.text}}' },
    ],
  },
  {
    say: 'use a broken tool',
    does: 'calls a tool that fails, then answers',
    steps: [{ call: 'broken_tool', with: {}, as: 'broken' }, { say: 'The tool failed: {{results.broken.text}}' }],
  },
  {
    say: 'run a command',
    does: 'asks permission for a call, then makes it or reads the denial',
    steps: [
      runCommand('npm install', 'command'),
      {
        if: { value: '{{results.command.ok}}' },
        do: [{ say: 'The command ran: {{results.command.text}}' }],
        else: [{ say: 'I did not run it: {{results.command.text}}' }],
      },
    ],
  },
  {
    say: 'run two commands',
    does: 'asks permission for two calls of one message',
    steps: [
      { calls: [runCommand('npm install', 'first'), runCommand('npm test', 'second')] },
      { say: 'First: {{results.first.text}}. Second: {{results.second.text}}.' },
    ],
  },
  {
    say: 'may I',
    does: 'asks permission for an action that is not a tool call',
    steps: [
      { ask_permission: { description: 'Go on with the work' }, as: 'leave' },
      { say: 'You said: {{results.leave.text}}.' },
    ],
  },
  {
    say: 'ask me',
    does: 'asks three questions at once: one choice, several choices, free text',
    steps: [{ ask: QUESTIONS, as: 'form' }, { say: 'Your answers:\n{{results.form.text}}' }],
  },
  {
    say: 'make a plan',
    does: 'shows a plan, calls a tool, answers',
    steps: [
      { plan: PLAN },
      { call: 'web_search', with: { query: 'step one' }, as: 'found' },
      { say: 'The plan is carried out.' },
    ],
  },
  {
    say: 'delegate to nobody',
    does: 'starts a nested agent that fails; the run continues',
    steps: [
      { spawn: { task: 'fail on purpose', steps: [{ fail: 'the nested agent failed' }] }, as: 'nested' },
      { say: 'It did not work: {{results.nested.text}}' },
    ],
  },
  {
    say: 'delegate',
    does: 'starts a nested agent that thinks, calls a tool and reports',
    steps: [
      {
        spawn: {
          task: 'find the weather',
          steps: [
            { think: 'I am the nested agent.' },
            { call: 'web_search', with: { query: 'weather' }, as: 'inner' },
            { say: 'Report: {{results.inner.text}}' },
          ],
        },
        as: 'nested',
      },
      { say: 'The nested agent reports. {{results.nested.text}}' },
    ],
  },
  {
    say: 'switch to PROFILE',
    regex: '(?is).*switch to (?P<profile>[a-z0-9_-]+).*',
    does: 'switches the profile, starting with the next message',
    steps: [
      { switch_profile: '{{match.1}}', as: 'switched' },
      {
        if: { value: '{{results.switched.ok}}' },
        do: [{ say: 'From now on you talk to {{match.1}}.' }],
        else: [{ say: 'That did not work: {{results.switched.text}}' }],
      },
    ],
  },
  {
    say: 'fill the context',
    does: 'claims a full context window, so that the context is compressed after the answer',
    steps: [{ use: { context: 60_000 } }, { compress: true }, { say: 'My memory is nearly full.' }],
  },
  {
    say: 'spend tokens',
    does: 'reports usage and cost in two parts',
    steps: [
      { use: { input: 1000, output: 500, cost_usd: 0.25 } },
      { say: 'That was not free.' },
      { use: { input: 234, output: 67, cost_usd: 0.125 } },
    ],
  },
  {
    say: 'stumble',
    does: 'reports a recoverable error and continues',
    steps: [{ fail: { message: 'the model was busy once', recoverable: true } }, { say: 'I am back on my feet.' }],
  },
  {
    say: 'fail halfway',
    does: 'starts to answer, then ends the run with an error',
    steps: [{ say: 'I will now' }, { fail: { message: 'the model cannot go on' } }],
  },
  {
    say: 'fail at once',
    does: 'ends the run with an error before any answer',
    steps: [{ fail: { message: 'the model cannot be reached' } }],
  },
  {
    say: 'disconnect',
    does: 'drops the connection in the middle of the answer; the run continues',
    steps: [{ say: ['Before ', 'the drop. '] }, { disconnect: true }, { delay: 50 }, { say: ['After ', 'the drop.'] }],
  },
  {
    say: 'report servers',
    does: 'reports that a tool server failed and recovered',
    steps: [
      { status: { server: 'desktop', status: 'failed' } },
      { status: { server: 'desktop', status: 'connected' } },
      { say: 'Every server is up.' },
    ],
  },
  {
    say: 'ask the hook',
    does: 'waits for the decision of a hook',
    steps: [
      { hook: 'PreToolUse', input: { tool_name: 'run_command' }, as: 'hook' },
      { say: 'The hook said: {{results.hook.text}}.' },
    ],
  },
  {
    say: 'answer slowly',
    does: 'streams 200 pieces, 50 ms apart: time to stop it',
    steps: [{ repeat: { times: 200, steps: [{ delay: 50 }, { say: ['slow '] }] } }],
  },
  {
    say: 'use tools slowly',
    does: 'makes 100 tool calls, 50 ms apart',
    steps: [
      { repeat: { times: 100, steps: [{ delay: 50 }, { call: 'web_search', with: { query: 'again' } }] } },
      { say: 'That was all.' },
    ],
  },
  {
    say: 'answer at length',
    does: 'streams 1,000 pieces without a pause',
    steps: [{ say: Array(1000).fill('word ') }],
  },
  {
    say: 'answer endlessly',
    does: 'streams 10,000 pieces without a pause',
    steps: [{ say: Array(10_000).fill('word ') }],
  },
  {
    say: 'look at this',
    does: 'reports how many pictures the message had',
    steps: [{ say: 'I see {{images}} pictures.' }],
  },
]

/** The phrase of each flow of the built-in agent. It repeats any other message. */
export const PHRASES: readonly Phrase[] = [
  ...LINES.map(({ say, does }) => ({ say, does })),
  { say: '(anything else)', does: 'repeats the message' },
]

/** The conformance script: plays every flow of every protocol, each started by its phrase. */
export const builtinScript: Script = parseScript({
  pace: { characters: [3, 12], ms: [0, 0] },
  tools: [
    {
      name: 'web_search',
      description: 'Search the web.',
      input: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
      result: 'Sunny, 22 degrees ({{args.query}})',
    },
    {
      name: 'read_file',
      description: 'Read a file.',
      input: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
      result: 'contents of {{args.path}}',
    },
    {
      name: 'run_command',
      description: 'Run a command of the shell.',
      input: { type: 'object', properties: { command: { type: 'string' } }, required: ['command'] },
      acts: true,
      result: '$ {{args.command}}: done',
    },
    {
      name: 'broken_tool',
      description: 'A tool that always fails.',
      ok: false,
      result: 'the tool is broken on purpose',
    },
  ],
  turns: [
    ...LINES.map(({ say, regex, steps }) => ({ about: say, on: regex ? { regex } : { text: say }, steps })),
    { about: 'anything else', steps: [{ say: 'You said: {{message}}' }] },
  ],
})
