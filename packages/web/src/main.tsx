import './ui/theme/base.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { reloadOnUpdate } from './shell/reload-on-update.ts'
import { openServer } from './socket/open-server.ts'

reloadOnUpdate()

const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App server={openServer()} />
    </StrictMode>,
  )
}
