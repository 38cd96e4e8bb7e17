import { curlFor, type SessionProtocol } from '../protocol.ts'

/** The server inside of OSWorld's machines. */
export const osworldProtocol = {
  name: 'osworld',
  port: 5000,
  isForAgents: true,
  loadApiDescription: async () => (await import('./routes/routes.ts')).osworldApi,
  loadProbes: async () => [(await import('./probe.ts')).osworldProbe],
  commands: (url, secrets) => {
    const curl = curlFor(secrets)
    return [
      `${curl} ${url}/screenshot -o screen.png`,
      `${curl} ${url}/execute --json '{"command": ["python", "-c", "import pyautogui; pyautogui.click(100, 100)"]}'`,
    ]
  },
  create: async (context) => {
    const { osworld } = await import('./server.ts')
    return osworld(context)
  },
} as const satisfies SessionProtocol
