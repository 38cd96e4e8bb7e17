import { render } from 'preact'
import { ENTRANCE_META, ENTRANCES } from '../model/entrance.ts'
import { Live } from './live/live.tsx'
import { RecordingPage } from './recording/recording.tsx'
import { ReportPage } from './report/report.tsx'
import './style/viewer.css'
import { applyTheme } from './ui/shell.tsx'

const PAGES = { live: Live, recording: RecordingPage, report: ReportPage }

applyTheme()
const asked = document.querySelector(`meta[name="${ENTRANCE_META}"]`)?.getAttribute('content')
const Page = PAGES[ENTRANCES.find((name) => name === asked) ?? 'live']
render(<Page />, document.getElementById('app')!)
