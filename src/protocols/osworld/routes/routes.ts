import type { Surface } from '../../http/document.ts'
import type { Route } from '../../http/route.ts'
import type { ServerContext } from '../commands.ts'
import { EXECUTE_ROUTES } from './execute.ts'
import { FILE_ROUTES } from './files.ts'
import { RECORDING_ROUTES } from './recording.ts'
import { SCREEN_ROUTES } from './screen.ts'
import { SETUP_ROUTES, WALLPAPER_ROUTE } from './setup.ts'

/** All routes, in the order of the document. */
export const ROUTES: readonly Route<ServerContext>[] = [
  ...SCREEN_ROUTES,
  ...EXECUTE_ROUTES,
  ...FILE_ROUTES,
  ...SETUP_ROUTES,
  ...RECORDING_ROUTES,
  WALLPAPER_ROUTE,
]

/** The surface from which the OpenAPI document is generated. */
export const osworldSurface: Surface = {
  title: "Server inside of OSWorld's machines",
  version: '1.0.0',
  description: 'A desktop for runners of OSWorld: screenshots, programs with pyautogui, files and windows.',
  url: 'http://127.0.0.1:5000',
  bearer: true,
  operations: ROUTES,
  channels: [],
}
