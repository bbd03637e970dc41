import type { CommandClass } from './verdict.ts'

const set = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/))

/** Print or compute what their words say, and never open what those name. */
export const TALKS = set(
  `echo printf true false : exit return break continue sleep seq expr basename dirname`,
)

/** Change or show the shell and things one can see and mend; their words are no commands. */
export const SILENT = set(
  `cp mv mkdir touch ln install rmdir patch split csplit mktemp mkfifo fg bg echo printf true false : test [ [[ shift ulimit
   getopts read unset export readonly local declare typeset set let printenv mapfile readarray`,
)

export const NETWORKS = set(
  `curl wget ssh scp sftp rsync ftp telnet nc ncat netcat ping traceroute dig nslookup host whois nmap http https
   aria2c gh glab hub svn hg mail sendmail mutt psql mysql mongosh mongo redis-cli open xdg-open ngrok cloudflared gpg
   ssh-copy-id rclone axel lynx w3m links elinks youtube-dl yt-dlp mosh rsh rlogin tftp websocat grpcurl`,
)

export const INSTALLS = set(
  `npx pnpx bunx uvx pipx conda mamba apt apt-get aptitude yum dnf rpm pacman apk snap flatpak port gem rustup nvm volta
   asdf mise corepack choco winget scoop easy_install cpan cpanm luarocks opam nix nix-env guix zypper emerge dpkg brew`,
)

/** Cannot be undone, reach beyond the folder they run in, or hand control to something else. */
export const DESTROYS = set(
  `rm unlink shred truncate dd mkfs fdisk parted wipefs mount umount losetup swapoff swapon shutdown reboot halt
   poweroff init telinit systemctl service launchctl kill pkill killall xkill crontab at batch useradd userdel usermod
   groupadd groupdel passwd chpasswd visudo chown chgrp setfacl chattr iptables ip6tables nft ufw firewall-cmd sysctl
   insmod rmmod modprobe defaults diskutil kubectl helm terraform tofu pulumi aws gcloud az doctl heroku vercel netlify
   fly firebase sudo doas pkexec run0 chroot unshare nsenter systemd-run socat vi vim nvim view ex ed emacs nano pico
   gdb lldb strace ltrace dc mknod ansible ansible-playbook wall write systemd-nspawn podman buildah machinectl`,
)

/** Run text as commands, or let a program go on after its call: what happens cannot be seen from the line. */
export const HIDES = set(
  `eval trap alias coproc enable setsid disown daemonize script parallel watch screen tmux su expect start-stop-daemon
   dtach abduco nohup unbuffer rlwrap entr watchexec nodemon`,
)

/** Programs with commands of their own. `writes` hold only as the very first word. None of them surely only reads. */
export interface Subcommands {
  readonly otherwise: CommandClass
  readonly writes?: ReadonlySet<string>
  readonly networks?: ReadonlySet<string>
  readonly installs?: ReadonlySet<string>
  readonly destroys?: ReadonlySet<string>
  /** Without any words. */
  readonly alone?: CommandClass
}

const NODE_PACKAGES: Subcommands = {
  otherwise: 'write',
  networks: set(
    `publish unpublish login logout view info show search outdated whoami ping audit deprecate token owner access
     adduser star stage`,
  ),
  installs: set(
    `i in ins inst install isntall it cit ic install-test ci clean-install add a update up upgrade uninstall un remove rm
     r link ln exec x dlx create init rebuild rb dedupe import self-update global env unlink explore edit`,
  ),
  // What is set there decides what runs later.
  destroys: set('config set'),
}

export const SUBCOMMANDS: Readonly<Record<string, Subcommands>> = {
  npm: NODE_PACKAGES,
  pnpm: NODE_PACKAGES,
  yarn: { ...NODE_PACKAGES, alone: 'install' },
  bun: NODE_PACKAGES,
  pip: { otherwise: 'install', writes: set('list show freeze check help'), networks: set('search index') },
  uv: { otherwise: 'install', writes: set('help') },
  poetry: {
    otherwise: 'install',
    writes: set('run build show check help'),
    networks: set('publish'),
  },
  bundle: { otherwise: 'install', writes: set('exec list show info help'), alone: 'install' },
  composer: { otherwise: 'install', writes: set('show validate help') },
  cargo: {
    otherwise: 'write',
    networks: set('publish search login logout owner yank'),
    installs: set('install uninstall add remove fetch update vendor'),
  },
  go: { otherwise: 'write', installs: set('get install download') },
  deno: {
    otherwise: 'write',
    networks: set('publish deploy jupyter lsp'),
    installs: set('install add cache upgrade uninstall x'),
    destroys: set('eval repl'),
    alone: 'destructive',
  },
  docker: {
    otherwise: 'destructive',
    writes: set('ps images logs inspect version info top stats port diff history'),
  },
  openssl: { otherwise: 'write', networks: set('s_client s_server s_time ocsp') },
  dotnet: { otherwise: 'write', installs: set('add tool restore workload'), networks: set('nuget') },
  ip: { otherwise: 'destructive' },
}
