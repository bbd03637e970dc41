import './ui/base.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { openServer } from './socket/open-server.ts'

const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App server={openServer()} />
    </StrictMode>,
  )
}
