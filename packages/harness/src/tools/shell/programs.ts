import type { CommandClass } from './verdict.ts'

const set = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/))

/** Read or compute, and never open what their words name. */
export const TALKS = set(
  `echo printf true false : test [ [[ exit return break continue sleep seq expr let pwd whoami id groups tty nproc arch
   uname uptime free cal tput clear wait jobs dirs times shift umask ulimit getopts read unset basename dirname export readonly local declare
   typeset`,
)

/** Read what their words name, and do nothing else whatever the options. */
export const READS = set(
  `ls cat head tail wc stat du df realpath readlink which whereis type locale lsblk lscpu cmp diff comm cut tr
   paste column fold fmt nl tac rev expand unexpand od hexdump strings md5sum sha1sum sha224sum sha256sum sha384sum
   sha512sum cksum sum b2sum base32 grep egrep fgrep zgrep zcat bzcat xzcat jq ps pgrep printenv join tsort pr
   cd pushd popd who w last lsof bc factor numfmt set md5 shasum vdir dir`,
)

/** Change things in a way that one can see and mend. */
export const WRITES = set(`cp mv mkdir touch ln install rmdir patch split csplit mktemp mkfifo fg bg`)

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

/** Programs with commands of their own. `reads` hold only as the very first word. */
export interface Subcommands {
  readonly otherwise: CommandClass
  readonly reads?: ReadonlySet<string>
  readonly writes?: ReadonlySet<string>
  readonly networks?: ReadonlySet<string>
  readonly installs?: ReadonlySet<string>
  readonly destroys?: ReadonlySet<string>
  /** Without any words. */
  readonly alone?: CommandClass
}

const NODE_PACKAGES: Subcommands = {
  otherwise: 'write',
  reads: set('ls list root prefix bin help why explain'),
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
  pip: { otherwise: 'install', reads: set('list show freeze check help'), networks: set('search index') },
  uv: { otherwise: 'install', reads: set('help') },
  poetry: {
    otherwise: 'install',
    reads: set('show check help'),
    writes: set('run build'),
    networks: set('publish'),
  },
  bundle: { otherwise: 'install', reads: set('list show info help'), writes: set('exec'), alone: 'install' },
  composer: { otherwise: 'install', reads: set('show validate help') },
  cargo: {
    otherwise: 'write',
    reads: set('help'),
    networks: set('publish search login logout owner yank'),
    installs: set('install uninstall add remove fetch update vendor'),
  },
  go: { otherwise: 'write', reads: set('version doc help'), installs: set('get install download') },
  deno: {
    otherwise: 'write',
    reads: set('help'),
    networks: set('publish deploy jupyter lsp'),
    installs: set('install add cache upgrade uninstall x'),
    destroys: set('eval repl'),
    alone: 'destructive',
  },
  docker: {
    otherwise: 'destructive',
    reads: set('ps images logs inspect version info top stats port diff history'),
  },
  openssl: { otherwise: 'write', networks: set('s_client s_server s_time ocsp') },
  dotnet: { otherwise: 'write', installs: set('add tool restore workload'), networks: set('nuget') },
  ip: { otherwise: 'destructive' },
}
