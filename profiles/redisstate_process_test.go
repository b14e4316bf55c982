// SPDX-License-Identifier: Apache-2.0

package profiles_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// process is a container: a process and what it started. A nil process has ended.
type process struct {
	cmd  *exec.Cmd
	done chan struct{}
}

// run starts cmd, which may be nil, with its output at the end of the file log.
func run(t *testing.T, cmd *exec.Cmd, log string) *process {
	if cmd == nil {
		return nil
	}
	out, err := os.OpenFile(log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Error(err)
		return nil
	}
	defer out.Close()
	cmd.Stdout, cmd.Stderr = out, out
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		t.Error(err)
		return nil
	}
	p := &process{cmd: cmd, done: make(chan struct{})}
	go func() {
		defer close(p.done)
		_ = cmd.Wait() // how it ends is seen in the log
	}()
	return p
}

func (p *process) ended() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

// signal sends the signal to the whole container; after SIGKILL it waits for the end.
func (p *process) signal(s syscall.Signal) {
	if p == nil {
		return
	}
	if err := syscall.Kill(-p.cmd.Process.Pid, s); err != nil && !errors.Is(err, syscall.ESRCH) {
		panic(err)
	}
	if s == syscall.SIGKILL {
		<-p.done
	}
}

// terminate asks the main process to end and kills what remains after 30 s.
func (p *process) terminate() {
	if p == nil {
		return
	}
	_ = p.cmd.Process.Signal(syscall.SIGTERM) // it may have ended already
	select {
	case <-p.done:
	case <-time.After(30 * time.Second):
	}
	p.signal(syscall.SIGKILL)
}

// client is a connection to a server, authenticated.
type client struct {
	conn net.Conn
	r    *bufio.Reader
}

func dial(address string, port int) (*client, error) {
	conn, err := net.DialTimeout("tcp", net.JoinHostPort(address, strconv.Itoa(port)), time.Second)
	if err != nil {
		return nil, err
	}
	c := &client{conn: conn, r: bufio.NewReader(conn)}
	if _, err := c.do("AUTH", password); err != nil {
		conn.Close()
		return nil, err
	}
	return c, nil
}

// do sends a command and returns the reply as text, lists with newlines.
func (c *client) do(args ...string) (string, error) {
	if err := c.conn.SetDeadline(time.Now().Add(3 * time.Second)); err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "*%d\r\n", len(args))
	for _, a := range args {
		fmt.Fprintf(&b, "$%d\r\n%s\r\n", len(a), a)
	}
	if _, err := io.WriteString(c.conn, b.String()); err != nil {
		return "", err
	}
	return c.reply()
}

func (c *client) reply() (string, error) {
	line, err := c.r.ReadString('\n')
	if err != nil {
		return "", err
	}
	line = strings.TrimSpace(line)
	n, _ := strconv.Atoi(line[1:])
	switch line[0] {
	case '-':
		return "", errors.New(line[1:])
	case '$':
		if n < 0 {
			return "", nil
		}
		text := make([]byte, n+2)
		_, err := io.ReadFull(c.r, text)
		return string(text[:n]), err
	case '*':
		var parts []string
		for range n {
			part, err := c.reply()
			if err != nil {
				return "", err
			}
			parts = append(parts, part)
		}
		return strings.Join(parts, "\n"), nil
	}
	return line[1:], nil
}

// ask sends one command to a port of the pod; "" when there is no answer.
func (p *pod) ask(port int, args ...string) string {
	c, err := dial(p.address, port)
	if err != nil {
		return ""
	}
	defer c.conn.Close()
	reply, err := c.do(args...)
	if err != nil {
		return ""
	}
	return reply
}

// role is master, slave, or "" while the server does not answer.
func (p *pod) role() string {
	role, _, _ := strings.Cut(p.ask(redisPort, "ROLE"), "\n")
	return role
}

// named is the master that the pod's sentinel names to clients.
func (p *pod) named() string {
	name, _, _ := strings.Cut(p.ask(sentinelPort, "SENTINEL", "get-master-addr-by-name", "mymaster"), "\n")
	return name
}

// agrees reports whether the pod's sentinel has settled on the master, with no failover
// going on, and knows n replicas and n other sentinels.
func (p *pod) agrees(master *pod, n int) bool {
	reply := "\n" + p.ask(sentinelPort, "SENTINEL", "MASTER", "mymaster") + "\n"
	for name, value := range map[string]string{"ip": master.self(), "flags": "master", "num-slaves": strconv.Itoa(n), "num-other-sentinels": strconv.Itoa(n)} {
		if !strings.Contains(reply, "\n"+name+"\n"+value+"\n") {
			return false
		}
	}
	return true
}

// keys is the number of keys, -1 while the server does not answer.
func (p *pod) keys() int {
	n, err := strconv.Atoi(p.ask(redisPort, "DBSIZE"))
	if err != nil {
		return -1
	}
	return n
}

const (
	redisPort    = 6379
	sentinelPort = 26379
)
