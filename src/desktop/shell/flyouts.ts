import type { Desktop, Window } from '../model/desktop.ts'
import { controlPart, type Element, nodeById } from '../model/element.ts'
import type { Rect } from '../model/geometry.ts'
import { type ShellText, shellText } from '../model/shell-texts.ts'
import type { Flyout } from '../model/traits.ts'
import type { ShellMetrics } from '../style/metrics.ts'
import { CALENDAR, calendar, dayAt, monthShown } from '../widgets/date.ts'
import { areaInsideShell } from '../windows/panel.ts'
import { flyoutUid, shellButton, shellWindow } from './shell-elements.ts'
import { inputLayoutsOf, type MachineStates, machineStatesOf, VOLUME_ID, WIFI_ID } from './tray.ts'

const MARGIN_PX = 12
const PADDING_PX = 16

interface FlyoutPlan {
  readonly title: string
  readonly width: number
  readonly height: number
  /** Its elements, from its upper left corner. */
  readonly content: (bounds: Rect) => readonly Element[]
}

type MakeFlyout = (desktop: Desktop, states: MachineStates, before: Window | undefined) => FlyoutPlan

const PLANS: Readonly<Record<Flyout, MakeFlyout>> = {
  'quick-settings': quickSettings,
  calendar: calendarPlan,
  input: inputPlan,
  tray: trayPlan,
}

/** A flyout beside the bar with the clock. */
export function flyoutOf(
  desktop: Desktop,
  shell: ShellMetrics,
  screen: Rect,
  flyout: Flyout,
  before: Window | undefined,
): Window {
  const plan = PLANS[flyout](desktop, machineStatesOf(desktop), before)
  const area = areaInsideShell(screen, shell)
  const width = Math.min(plan.width, area.width - 2 * MARGIN_PX)
  const height = Math.min(plan.height, area.height - 2 * MARGIN_PX)
  const isCentred = shell.calendar === 'middle' && flyout === 'calendar'
  const bounds = {
    x: isCentred ? area.x + Math.floor((area.width - width) / 2) : area.x + area.width - MARGIN_PX - width,
    y: shell.bars[0]?.edge === 'bottom' ? area.y + area.height - MARGIN_PX - height : area.y + 8,
    width,
    height,
  }
  return shellWindow({
    uid: flyoutUid(flyout),
    title: plan.title,
    bounds,
    shell: 'flyout',
    screen,
    children: plan.content(bounds),
  })
}

const TILE_PX = { width: 96, height: 76, gap: 12 }

/** Switches of the machine, its volume and brightness, and its battery. */
function quickSettings(
  desktop: Desktop,
  { network, sound, battery }: MachineStates,
  before: Window | undefined,
): FlyoutPlan {
  const inWords = (text: ShellText) => shellText(desktop, text)
  const kept = (id: string) => before && nodeById(before.tree, id)
  const tiles = [
    { id: WIFI_ID, name: inWords('Wi-Fi'), isOn: network === 'Connected' },
    { id: 'shell.quick.bluetooth', name: inWords('Bluetooth'), isOn: kept('shell.quick.bluetooth')?.selected ?? true },
    { id: 'shell.quick.night', name: inWords('Night light'), isOn: kept('shell.quick.night')?.selected ?? false },
  ]
  const sliders = [
    { id: VOLUME_ID, name: inWords('Volume'), now: sound },
    { id: 'shell.quick.brightness', name: inWords('Brightness'), now: kept('shell.quick.brightness')?.valueNow ?? 70 },
  ]
  const width = 3 * TILE_PX.width + 2 * TILE_PX.gap + 2 * PADDING_PX
  return {
    title: inWords('Quick Settings'),
    width,
    height: 2 * PADDING_PX + TILE_PX.height + 2 * 48 + 36,
    content: ({ x, y }) => [
      ...tiles.map(({ id, name, isOn }, index) =>
        controlPart(
          id,
          'ToggleButton',
          name,
          {
            x: x + PADDING_PX + index * (TILE_PX.width + TILE_PX.gap),
            y: y + PADDING_PX,
            width: TILE_PX.width,
            height: TILE_PX.height,
          },
          { selected: isOn },
        ),
      ),
      ...sliders.map(({ id, name, now }, index) =>
        controlPart(
          id,
          'Slider',
          name,
          {
            x: x + PADDING_PX + 40,
            y: y + PADDING_PX + TILE_PX.height + 20 + index * 44,
            width: width - 2 * PADDING_PX - 48,
            height: 28,
          },
          { valueNow: now, valueMin: 0, valueMax: 100 },
        ),
      ),
      controlPart('shell.quick.battery', 'Text', `${battery}%`, {
        x: x + PADDING_PX + 28,
        y: y + 2 * PADDING_PX + TILE_PX.height + 2 * 48,
        width: 80,
        height: 28,
      }),
      shellButton('shell.quick.settings', inWords('All settings'), {
        x: x + width - PADDING_PX - 36,
        y: y + 2 * PADDING_PX + TILE_PX.height + 2 * 48 - 2,
        width: 36,
        height: 32,
      }),
    ],
  }
}

const NOTE_PX = 64
const MAX_NOTES = 3

/** The open notifications, and the month of the clock. */
function calendarPlan(desktop: Desktop, _: MachineStates, before: Window | undefined): FlyoutPlan {
  const { nowMs, windows } = desktop
  const today = dayAt(nowMs ?? 0)
  const shown = before && nodeById(before.tree, 'shell.date.calendar')
  const month = (shown && monthShown(shown)) ?? today
  const notes = windows.filter(({ notification }) => notification).slice(0, MAX_NOTES)
  const lines = Math.max(1, notes.length)
  const width = 340
  const notesHeight = 36 + (notes.length > 0 ? lines * (NOTE_PX + 8) : 40)
  return {
    title: shellText(desktop, 'Notifications and Calendar'),
    width,
    height: 2 * PADDING_PX + notesHeight + CALENDAR.height,
    content: ({ x, y }) => {
      const left = x + PADDING_PX
      const inside = width - 2 * PADDING_PX
      const line = (index: number) => ({ x: left, y: y + PADDING_PX + 36 + index * (NOTE_PX + 8), width: inside })
      return [
        controlPart('shell.notes.heading', 'Text', shellText(desktop, 'Recent notifications'), {
          x: left,
          y: y + PADDING_PX,
          width: inside,
          height: 28,
        }),
        ...(notes.length > 0
          ? notes.map(({ uid, tree }, index) =>
              controlPart(
                `shell.note.${uid}`,
                'Text',
                tree.name,
                { ...line(index), height: NOTE_PX },
                { value: tree.value },
              ),
            )
          : [
              controlPart('shell.notes.none', 'Text', shellText(desktop, 'No new notifications'), {
                ...line(0),
                height: 28,
              }),
            ]),
        calendar(
          'shell.date',
          {
            x: x + Math.floor((width - CALENDAR.width) / 2),
            y: y + PADDING_PX + notesHeight,
            ...CALENDAR,
          },
          month,
          desktop,
          today,
        ),
      ]
    },
  }
}

const ROW_PX = 40

/** The layouts of the keyboard. */
function inputPlan(desktop: Desktop, { input }: MachineStates): FlyoutPlan {
  const layouts = inputLayoutsOf(desktop)
  return {
    title: shellText(desktop, 'Input Language'),
    width: 240,
    height: layouts.length * ROW_PX + 16,
    content: ({ x, y, width }) =>
      layouts.map(({ code, name }, index) =>
        shellButton(
          `shell.input.${code.toLowerCase()}`,
          name,
          { x: x + 8, y: y + 8 + index * ROW_PX, width: width - 16, height: ROW_PX - 2 },
          { command: { does: 'input', code } },
          { value: code, selected: code === input },
        ),
      ),
  }
}

const HIDDEN = ['Updates', 'Cloud files', 'Microphone'] as const
const HIDDEN_PX = 40

/** Icons for which the tray has no space. */
function trayPlan(desktop: Desktop): FlyoutPlan {
  return {
    title: shellText(desktop, 'Hidden Icons'),
    width: HIDDEN.length * HIDDEN_PX + 16,
    height: HIDDEN_PX + 16,
    content: ({ x, y }) =>
      HIDDEN.map((name, index) =>
        shellButton(`shell.hidden.${index}`, shellText(desktop, name), {
          x: x + 8 + index * HIDDEN_PX,
          y: y + 8,
          width: HIDDEN_PX - 2,
          height: HIDDEN_PX,
        }),
      ),
  }
}
